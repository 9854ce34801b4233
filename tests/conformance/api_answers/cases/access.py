# SPDX-License-Identifier: Apache-2.0
"""Who may ask, and how the server is."""
from objects import configmap
from steps import MERGE, Case, create, delete, get, patch, put, request, watch

CASES = [
    Case("no request without a token",
         get("configmaps", who="nobody"), get("/version", who="nobody"),
         get("/readyz", who="nobody"), get("/apis", who="nobody"),
         create("configmaps", configmap("a"), who="nobody"),
         get("/nowhere", who="nobody")),
    Case("no request with a token that nobody has",
         get("configmaps", who="stranger"), get("/api", who="stranger"),
         delete("configmaps/a", who="stranger"),
         get("configmaps", who="nobody", headers={"Authorization": "Basic YTpi"},
             says="a password"),
         get("configmaps", who="nobody", headers={"Authorization": "Bearer "},
             says="an empty token")),
    Case("a reader reads",
         create("configmaps", configmap("a")),
         get("configmaps", who="reader"), get("configmaps/a", who="reader"),
         watch("configmaps", who="reader", timeoutSeconds="1"),
         get("/version", who="reader", only=("major",)), get("/apis", who="reader", only=("kind",)),
         get("/readyz", who="reader")),
    Case("a reader does not write",
         create("configmaps", configmap("a")),
         create("configmaps", configmap("b"), who="reader"),
         put("configmaps/a", configmap("a"), who="reader"),
         patch("configmaps/a", {"data": {"a": "1"}}, MERGE, who="reader"),
         patch("pods/a/status", {"status": {}}, MERGE, who="reader"),
         delete("configmaps/a", who="reader"), delete("configmaps", who="reader"),
         create("nodes", {"metadata": {"name": "a"}}, who="reader"),
         create("endpointslices", {"metadata": {"name": "a"}}, who="reader"),
         request("POST", "/version", who="reader")),
    Case("how the server is",
         get("/healthz"), get("/livez"), get("/readyz"),
         get("/readyz/ping"), get("/healthz/ping"), get("/readyz/fish")),
]
