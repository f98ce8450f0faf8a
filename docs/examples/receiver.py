"""A webhook receiver: WEBHOOK_SECRET=whsec_… python3 receiver.py [port] [folder of the certificate]"""
import hashlib
import hmac
import os
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, folder = (sys.argv[1:] + ["9443", ".local/certificates"][len(sys.argv) - 1 :])[:2]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        expected = hmac.new(os.environ["WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()
        given = self.headers.get("x-webhook-signature", "")
        is_authentic = hmac.compare_digest(given.encode(), expected.encode())
        print("authentic" if is_authentic else "rejected", body.decode(), flush=True)
        self.send_response(204 if is_authentic else 400)
        self.end_headers()


server = ThreadingHTTPServer(("localhost", int(port)), Receiver)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/localhost.pem", f"{folder}/localhost-key.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
