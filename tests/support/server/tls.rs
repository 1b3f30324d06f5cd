//! TLS in front of a loopback forge, with a certificate of an authority that nobody knows.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::support::repo::Scratch;

/// `https://127.0.0.1:<port>`, all of it handed on to a plain server.
#[derive(Debug)]
pub struct Tls {
    port: u16,
    scratch: Scratch,
}

impl Tls {
    /// In front of what listens at this address.
    pub fn before(plain: SocketAddr) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("an authority's parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = || KeyPair::generate().expect("a key");
        let authority = CertifiedIssuer::self_signed(params, key()).expect("an authority");
        let own = key();
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("a server's parameters");
        let certificate = params.signed_by(&own, &authority).expect("a signed certificate");
        let scratch = Scratch::new();
        std::fs::write(scratch.path().join("ca.pem"), authority.pem()).expect("the authority's certificate is written");

        let secret = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.serialize_der()));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("protocol versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], secret)
            .expect("a server's configuration");
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback interface");
        let port = listener.local_addr().expect("a bound address").port();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
                // A client that knows no such authority leaves: no fault of the server.
                thread::spawn(move || carry(StreamOwned::new(connection, client), plain).ok());
            }
        });
        Self { port, scratch }
    }

    pub fn origin(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// The authority's certificate, as a PEM file.
    pub fn authority(&self) -> PathBuf {
        self.scratch.path().join("ca.pem")
    }
}

/// Carries bytes both ways until one side has ended.
fn carry(mut client: StreamOwned<ServerConnection, TcpStream>, plain: SocketAddr) -> std::io::Result<()> {
    let mut server = TcpStream::connect(plain)?;
    // Both are looked at in turn.
    let turn = Some(Duration::from_millis(2));
    client.sock.set_read_timeout(turn)?;
    server.set_read_timeout(turn)?;
    let mut chunk = vec![0; 64 * 1024];
    loop {
        if pass(&mut client, &mut server, &mut chunk)? || pass(&mut server, &mut client, &mut chunk)? {
            return Ok(());
        }
    }
}

/// Carries what is there; whether the source has ended.
fn pass(from: &mut impl Read, to: &mut impl Write, chunk: &mut [u8]) -> std::io::Result<bool> {
    match from.read(chunk) {
        Ok(0) => Ok(true),
        Ok(count) => to.write_all(&chunk[..count]).and_then(|()| to.flush()).map(|()| false),
        Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(false),
        Err(why) => Err(why),
    }
}
