# SPDX-License-Identifier: Apache-2.0
"""Starts a real kube-apiserver with etcd and keeps it running until SIGTERM or SIGINT.

    python3 -m peers.real_apiserver [START_DIR]

Prints the path of an admin's kubeconfig that verifies the server, START_DIR/kubeconfig (a temporary
folder without START_DIR), once the server is ready. Leaves nothing running behind. Exits with 77
where the real programs are missing.
"""
import pathlib
import signal
import sys
import tempfile

from peers import servers


def write_verifying_kubeconfig(path, endpoint):
    """The server's certificate is made at its start; the file also holds who signed it."""
    authority = (endpoint.kubeconfig.parent / "certificates" / "apiserver.crt").read_text()
    (path.parent / "ca.crt").write_text(authority)
    path.write_text(
        "apiVersion: v1\nkind: Config\ncurrent-context: real\n"
        f"clusters: [{{name: real, cluster: {{server: '{endpoint.url}', certificate-authority: ca.crt}}}}]\n"
        f"users: [{{name: admin, user: {{token: {endpoint.admin}}}}}]\n"
        "contexts: [{name: real, context: {cluster: real, user: admin}}]\n")
    path.chmod(0o600)


def main():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with servers.real_server() as endpoint:
                write_verifying_kubeconfig(folder / "kubeconfig", endpoint)
                print(folder / "kubeconfig", flush=True)
                signal.sigwait({signal.SIGTERM, signal.SIGINT})
        except servers.Unavailable as reason:
            print(f"real_apiserver: {reason}", file=sys.stderr)
            sys.exit(77)


main()
