#!/bin/sh
# A PreToolUse hook: an agent previews, a person posts. Reads the call on stdin, and denies a `forge review` with --yes.
# It is a guard against a habit and no wall: whoever wants to get around it can.
set -u
# Quotes and escapes do not hide a word from the shell that runs the command, nor from this one.
call=$(tr -d "\"'\\\\" | tr '\n\t' '  ')
case $call in
*forge*review*) ;;
*) exit 0 ;;
esac
if printf '%s\n' "$call" | grep -Eq -- '(^|[^[:alnum:]-])(--yes|-[qv]*y)([^[:alnum:]-]|$)'; then
    printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"dai posts only on the word of a person: show the preview, and the command that it ends with, and let them run it."}}'
fi
exit 0
