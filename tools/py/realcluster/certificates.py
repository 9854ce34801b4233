# SPDX-License-Identifier: Apache-2.0
"""The authority of a cluster, certificates that it signs, and kubeconfigs that use them."""
from realcluster.machine import run
from realcluster.shape import SERVER_IP, SERVER_IP6, SERVER_URL, SERVICE_IP

DAYS = "365"
COMPONENTS = {"admin": "/O=system:masters/CN=admin",
              "controller-manager": "/CN=system:kube-controller-manager",
              "scheduler": "/CN=system:kube-scheduler",
              "kube-proxy": "/CN=system:kube-proxy"}


class Authority:
    """Keys, certificates and kubeconfigs in one folder, which only root can read."""

    def __init__(self, folder):
        self.folder = folder

    def make(self):
        self.folder.mkdir(mode=0o700, parents=True)
        self._new_key("ca")
        run("openssl", "req", "-x509", "-new", "-key", self._key("ca"), "-days", DAYS, "-subj",
            "/CN=kubernetes-ca", "-addext", "basicConstraints=critical,CA:TRUE", "-addext",
            "keyUsage=critical,keyCertSign,digitalSignature", "-out", self.certificate("ca"))
        run("openssl", "genrsa", "-out", self._key("service-accounts"), "2048")

    def certificate(self, name):
        return self.folder / f"{name}.crt"

    def _key(self, name):
        return self.folder / f"{name}.key"

    key = _key

    def kubeconfig(self, name):
        return self.folder / f"{name}.kubeconfig"

    def _new_key(self, name):
        run("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self._key(name))

    def sign(self, name, subject, names=()):
        """`names`: what a server is called, as "IP:10.0.0.1" or "DNS:localhost"."""
        self._new_key(name)
        extensions = self.folder / f"{name}.extensions"
        extensions.write_text("extendedKeyUsage=serverAuth,clientAuth\n" +
                              (f"subjectAltName={','.join(names)}\n" if names else ""))
        request = run("openssl", "req", "-new", "-key", self._key(name), "-subj", subject)
        run("openssl", "x509", "-req", "-CA", self.certificate("ca"), "-CAkey", self._key("ca"),
            "-CAcreateserial", "-days", DAYS, "-extfile", extensions, "-out", self.certificate(name),
            text=request)
        extensions.unlink()

    def write_kubeconfig(self, name):
        self.kubeconfig(name).write_text(
            "apiVersion: v1\nkind: Config\ncurrent-context: it\n"
            f"clusters: [{{name: it, cluster: {{server: '{SERVER_URL}', "
            f"certificate-authority: {self.certificate('ca')}}}}}]\n"
            f"users: [{{name: it, user: {{client-certificate: {self.certificate(name)}, "
            f"client-key: {self._key(name)}}}}}]\n"
            "contexts: [{name: it, context: {cluster: it, user: it}}]\n")

    def sign_all(self, shape):
        self.sign("apiserver", "/CN=kube-apiserver",
                  (f"IP:{SERVER_IP}", f"IP:{SERVER_IP6}", f"IP:{SERVICE_IP}", "IP:127.0.0.1",
                   "DNS:kubernetes", "DNS:kubernetes.default", "DNS:kubernetes.default.svc",
                   "DNS:localhost"))
        self.sign("apiserver-to-kubelet", "/O=system:masters/CN=kube-apiserver-kubelet-client")
        for name, subject in COMPONENTS.items():
            self.sign(name, subject)
            self.write_kubeconfig(name)
        for node in shape.nodes:
            self.sign(node.name, f"/O=system:nodes/CN=system:node:{node.name}",
                      (*(f"IP:{address}" for address in node.addresses), f"DNS:{node.name}"))
            self.write_kubeconfig(node.name)
