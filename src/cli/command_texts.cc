// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts.h"

#include "base/check.h"

namespace proxima::cli {
namespace {

constexpr ExampleText kPlanExamples[] = {
    {"Every service of the cluster that kubectl would speak to", "proxima plan"},
    {"The same from what kubectl wrote",
     "kubectl get nodes,pods,services,endpointslices,namespaces -A -o json | proxima plan -f -"},
    {"Two services, with zone counts and splits",
     "proxima plan -f dump.json -o wide shop/cart shop/checkout"},
    {"What the services of a namespace would get from another default",
     "proxima plan -f dump.json -n shop --default-policy balanced --overload 10%"},
    {"The hints of every endpoint, for a script", "proxima plan -f dump.json -o json"},
};

constexpr ExampleText kExplainExamples[] = {
    {"Why traffic from a node goes where it goes",
     "proxima explain -f dump.json service/shop/cart --from-node worker-7"},
    {"On a live cluster",
     "proxima explain --kubeconfig admin.conf service/shop/cart --from-node worker-7"},
    {"The same, seen from a zone", "proxima explain -f dump.json shop/cart --from-zone eu-west-1b"},
    {"The IPv6 side of a dual-stack service",
     "proxima explain -f dump.json shop/cart --from-zone eu-west-1b --family IPv6"},
    {"What the proxy of a node does at this moment", "proxima explain shop/cart --node 10.0.0.5"},
};

constexpr ExampleText kCompareExamples[] = {
    {"What every policy would do to a cluster", "proxima compare -f dump.json"},
    {"The dial of balanced: no overload, 10%, 30%",
     "proxima compare -f dump.json --policy as-configured,balanced --overload 0,10%,30%"},
    {"Real traffic and a real price",
     "proxima compare -f dump.json --traffic gigabytes.csv --price-per-gb 0.02"},
    {"A page with charts", "proxima compare -f dump.json --html compare.html"},
};

constexpr ExampleText kMigrateExamples[] = {
    {"What every service of the cluster asks for, and what a move would change", "proxima migrate"},
    {"One service of a dump", "proxima migrate -f dump.json shop/cart"},
    {"The patch that moves it",
     "proxima migrate -f dump.json shop/cart --to balanced -o patch > patch.yaml; "
     "kubectl patch service cart -n shop --type merge --patch-file patch.yaml"},
    {"All patches that are suggested, as commands",
     "proxima migrate -o patch | sed -n 's/^# kubectl /kubectl /p'"},
    {"The number of Pods and the topology spread constraint that auto needs",
     "proxima migrate -f dump.json shop/cart --to auto -o patch"},
};

constexpr ExampleText kCheckExamples[] = {
    {"Before the installation, from where kubectl works", "proxima check --pre"},
    {"A node, before kube-proxy leaves it", "sudo proxima check --pre --node-only"},
    {"After the installation; waits up to two minutes", "proxima check --wait 2m"},
    {"Only what the controller needs", "proxima check --pre --component controller"},
    {"For a script: what failed",
     "proxima check -o json | jq -r '.items[] | select(.outcome == \"failed\") | .id'"},
    {"The reference page of the documentation", "proxima check --list -o markdown > docs/check.md"},
};

constexpr ExampleText kGenerateExamples[] = {
    {"A small cluster to play with", "proxima generate | proxima compare -f -"},
    {"A large one, with half as many Pods in each next zone",
     "proxima generate --nodes 500 --zones 6 --services 1000 --pods 15000 --skew 0.5 -o json"},
};

constexpr ExampleText kLimitsExamples[] = {
    {"With where each number comes from", "proxima limits -o wide"},
    {"The reference page of the documentation",
     "proxima limits -o markdown > docs/reference/limits.md"},
};

constexpr ExampleText kReasonsExamples[] = {
    {"Look one up", "proxima reasons | grep overload"},
    {"The reference page of the documentation", "proxima reasons -o markdown > docs/reasons.md"},
};

constexpr ExampleText kApiserverExamples[] = {
    {"A server for this machine", "proxima apiserver --data-dir ./cluster"},
    {"On any free port, which it prints", "proxima apiserver --data-dir ./cluster --secure-port 0"},
    {"A copy of its database, while it runs",
     "proxima apiserver --data-dir ./cluster backup cluster-monday.db"},
};

constexpr ExampleText kControllerExamples[] = {
    {"For a cluster whose own EndpointSlice controller is switched off",
     "proxima controller --kubeconfig admin.conf"},
    {"What it would do, beside the controller that works today",
     "proxima controller --kubeconfig admin.conf --dry-run --metrics-bind-address 127.0.0.1:0"},
    {"For the embedded API, alone, with another default for every Service",
     "proxima controller --kubeconfig ./cluster/kubeconfig --leader-elect=false "
     "--default-policy balanced --overload 20%"},
};

constexpr ExampleText kProxyExamples[] = {
    {"In the place of kube-proxy, with its configuration",
     "proxima proxy --config /var/lib/kube-proxy/config.conf --hostname-override \"$NODE_NAME\""},
    {"Beside kube-proxy, for Services that name it",
     "proxima proxy --kubeconfig proxy.conf --service-proxy-name=mine "
     "--cluster-cidr 10.244.0.0/16 --healthz-bind-address 0.0.0.0:10258 "
     "--metrics-bind-address 127.0.0.1:10259"},
    {"Remove all of its rules", "proxima proxy --cleanup"},
};

constexpr ExampleText kUpExamples[] = {
    {"The example cluster: three zones, six nodes, three services", "proxima up"},
    {"A cluster that is still there at the next start", "proxima up --data-dir ./cluster"},
    {"A cluster and a timeline of your own", "proxima up --scenario zone-outage.yaml"},
    {"Twenty seconds of it, for a script", "proxima up --for 20s"},
};

constexpr ExampleText kLabExamples[] = {
    {"What there is, and where its traffic goes", "proxima lab status"},
    {"Let a service stay in its zone, with at most 20% overload",
     "proxima lab policy shop/lopsided balanced --overload 20%"},
    {"Four Pods in zone-a, none in zone-b", "proxima lab scale shop/even zone-a=4 zone-b=0"},
    {"Most requests start in zone-a", "proxima lab demand zone-a=80%"},
    {"Switch a zone off, and on again", "proxima lab fail-zone zone-b; proxima lab heal zone-b"},
    {"One more node", "proxima lab add-node zone-c"},
};

constexpr ExampleText kSysdumpExamples[] = {
    {"For a bug report about the cluster that kubectl would speak to", "proxima sysdump"},
    {"What somebody else sees in it",
     "proxima explain service/shop/cart --from-node worker-7 -f "
     "proxima-sysdump-20261119-041500.tar.gz"},
    {"One namespace, with the pages of two node proxies",
     "proxima sysdump -n shop --node 10.0.0.5 --node 10.0.0.6 --node-token-file token"},
    {"A plan of what it would hold", "proxima sysdump -o - | proxima plan -f -"},
};

constexpr ExampleText kCompletionExamples[] = {
    {"In this bash", "source <(proxima completion bash)"},
    {"In every zsh", "proxima completion zsh > \"${fpath[1]}/_proxima\""},
    {"In every fish", "proxima completion fish > ~/.config/fish/completions/proxima.fish"},
};

constexpr ExampleText kManExamples[] = {
    {"Read it", "proxima man | man -l -"},
    {"The reference page of the documentation", "proxima man -o markdown > docs/reference/cli.md"},
};
constexpr ExampleText kVersionExamples[] = {{"For a script", "proxima version -o json"}};
constexpr ExampleText kHelpExamples[] = {{"About one command", "proxima help compare"}};

constexpr CommandText kCommands[] = {
    {"up", "Run a cluster of several zones on this machine, with a page that shows its traffic",
     "Starts the Kubernetes API, the controller and a lab of network namespaces: nodes in zones, "
     "each with a real node proxy and real kernel rules, HTTP servers as Pods and HTTP clients. "
     "When all of it runs it prints where its page is, the kubeconfig to use and what to try. "
     "kubectl acts on it: Pods that are applied serve, Pods that are deleted end gracefully, nodes "
     "can be cordoned and deleted.\n\n"
     "It needs root, or a kernel that lets users make namespaces of their own. Where neither is to "
     "be had it says so and goes on as a simulator: everything but the namespaces runs, and "
     "traffic is predicted instead of measured. Nothing is changed in the network of the machine "
     "itself.\n\n"
     "Ctrl-C ends it and leaves nothing behind; a second Ctrl-C ends it at once. Without "
     "--data-dir the cluster is gone then. A user has one lab at a time: a second one says where "
     "the first is. Logs are in the folder logs of the data directory.",
     kUpExamples},
    {"lab", "Look at the lab that \"proxima up\" runs, and do something to it",
     "Actions: status; add-node ZONE; scale SERVICE ZONE=PODS...; kill-node NODE; fail-zone ZONE; "
     "heal [ZONE|NODE], everything when nothing is named; demand ZONE=SHARE..., the others divide "
     "what is left; policy SERVICE POLICY|none.\n\n"
     "A node that is killed and a zone that fails lose power: no cable, no proxy, no Pods, until "
     "they are healed. Power and demand are the lab's own, and kubectl cannot change them. Nodes, "
     "Pods and policies are written to the Kubernetes API, where kubectl can do the same.",
     kLabExamples},
    {"plan", "Show the hints and splits that every service would get",
     "Reads Nodes, Pods, Services, EndpointSlices and Namespaces as kubectl writes them and shows, "
     "for every service and address family, which policy applies, how much traffic it keeps in its "
     "zone, how far the busiest endpoint is above its fair share, what is published, and why.\n\n"
     "A dump without EndpointSlices gets those that the controller would make from its Pods. "
     "Without --namespace all namespaces are shown, because a file has no current namespace. "
     "Services are named as NAME, NAMESPACE/NAME, service/NAME or service/NAMESPACE/NAME.\n\n"
     "On a terminal a table is fitted to its width; anywhere else nothing is cut.",
     kPlanExamples},
    {"explain", "Tell the whole story of one service, seen from one place",
     "Follows the rules in the order in which they apply: where the policy comes from, what the "
     "planner decided, what the node does with it, the share of each endpoint, what was considered "
     "and refused, and what would change the answer. Where a controller has made slices, it also "
     "tells whether their hints equal the plan, and which endpoints differ.\n\n"
     "With --node it asks a running proxima proxy instead: where packets to each address of the "
     "service go from there, and why.",
     kExplainExamples},
    {"compare", "Put policies side by side: locality, overload, money",
     "Plans the same cluster under several policies and predicts the traffic of each: the share "
     "that stays in its zone, the share that leaves it, how far the busiest endpoint is above its "
     "fair share, and what crossing zones costs.\n\n"
     "Cloud providers charge about $0.01 for each GB in each direction between zones; a GB that "
     "crosses is charged twice, so --price-per-gb is 0.02 unless given. Between regions it is "
     "twice that, unless --region-price-per-gb or --price-file says otherwise. A price file is "
     "YAML, JSON or CSV: \"FROM/TO: PRICE\" for two zones or two regions (one direction given "
     "counts for both), and \"same-zone\", \"same-region\", \"other-region\".\n\n"
     "Without --traffic every service is taken to carry 1 GB, and the output says so. A traffic "
     "file is YAML, JSON or CSV: \"NAMESPACE/NAME: GB\"; \"default: GB\" is for services that are "
     "not listed, which otherwise count nothing.",
     kCompareExamples},
    {"migrate", "Show what moving services to another policy changes, and print the patches",
     "For every service: what it asks for today (topology keys, a topology annotation, "
     "spec.trafficDistribution, spec.trafficPolicy, proxima.io/policy), and what moving to "
     "trafficDistribution, to balanced and to auto would change: the share that stays in its zone, "
     "how far the busiest endpoint is above its fair share, and the cost. Each is predicted by "
     "planning the service again as its patch would leave it.\n\n"
     "Below the figures is what is in the way: topology keys that reject or name other labels, a "
     "zone without endpoints, a traffic policy of Local, a feature gate that is off. Where auto "
     "does not work, or sends endpoints to the traffic of other zones, it shows with how many "
     "Pods, "
     "and where, it would. A move is suggested for services by topology keys or auto, where it "
     "loses nothing.\n\n"
     "-o patch prints the suggested patches, or those of --to, as YAML for \"kubectl patch --type "
     "merge --patch-file\"; a comment before each is the command that applies it. With --to auto "
     "the Deployment or StatefulSet gets a topology spread constraint, by a strategic merge patch. "
     "Nothing is applied. --traffic and prices are as for compare.",
     kMigrateExamples},
    {"check", "Check whether a cluster and a node are ready for Proxima, and whether it works",
     "Looks at this node (kernel, nftables, connection tracking, who else programs Services) where "
     "it has the rights to, and asks the API server (version, rights, zones, who writes slices and "
     "routes Services, Proxima's own parts). Each check that fails or warns says what to do and "
     "where to read more. Nothing is changed.\n\n"
     "With --pre only what matters before the installation is checked. Checks of the node need "
     "CAP_NET_ADMIN; without it they are skipped, unless --node-only asks for them. With --wait it "
     "is checked again until nothing fails or the time is over.\n\n"
     "The exit code is 1 when a check failed. Warnings and skipped checks leave it at 0.",
     kCheckExamples},
    {"generate", "Write a made-up cluster of any size",
     "The same flags give the same cluster, byte for byte.", kGenerateExamples},
    {"reasons", "List every reason a decision can have, and what to do about it",
     "The same codes and sentences appear in plan and explain, in Events, conditions, metrics and "
     "logs.",
     kReasonsExamples},
    {"limits", "List the bounds of every number that is read from outside",
     "Annotations, fields, files, flags and reports of node proxies: what is outside its bounds is "
     "refused where it is read, and everything else goes on.",
     kLimitsExamples},
    {"apiserver", "Serve the Kubernetes API from one machine, without a cluster",
     "A Kubernetes API server for Namespaces, Nodes, Pods, Services, EndpointSlices, Endpoints, "
     "ConfigMaps, Events, Leases, ServiceCIDRs and IPAddresses, in one process with its data in "
     "one SQLite file. kubectl and other clients use it unchanged. When it is ready it prints one "
     "line with its URL and the kubeconfig to use: \"kubectl --kubeconfig ./cluster/kubeconfig get "
     "namespaces\".\n\n"
     "The data directory is made when it is missing. It holds the database (proxima.db), the "
     "certificate authority made at the first start (pki), the kubeconfig of the administrator and "
     "kubeconfig-readonly, whose user may look at everything and change nothing. These files are "
     "readable by their owner only. A second server on the same directory is refused; so is a file "
     "that is damaged or was written by a newer version, and it is left as it is.\n\n"
     "A write is answered when it is on disk. With --durability full that holds against a power "
     "failure as well; with normal a power failure may take the last moments, a crash of the "
     "program nothing. When the disk is full, writing stops for good and reading goes on.\n\n"
     "\"backup FILE\" copies the database as of one moment, whether a server uses it or not. To "
     "restore, put the copy in the place of proxima.db of a stopped server.",
     kApiserverExamples},
    {"controller", "Make the EndpointSlices of a cluster, with the hints they should have",
     "Takes the place of Kubernetes' EndpointSlice controller, which must be switched off "
     "(kube-controller-manager --controllers=*,-endpointslice-controller). Slices carry the same "
     "identity, so either can take over from the other without writing one of them again. With "
     "--endpoints-mirroring it takes the place of the EndpointSlice mirroring controller too "
     "(-endpointslice-mirroring-controller).\n\n"
     "Several may run: one holds the Lease and works, the others have warm caches. One that loses "
     "the Lease stops writing at once and takes part again. SIGTERM and SIGINT end it: what is "
     "under way is finished and the Lease is given back; a second signal ends it at once.\n\n"
     "It tells what it decides in Events and in conditions of the Services, in metrics, and as "
     "JSON at /debug/plan, for one Service with /debug/plan?service=NAMESPACE/NAME. Logs go to "
     "standard error. Health, metrics and plans need no credentials, so they are served to this "
     "machine only unless --metrics-bind-address says otherwise.\n\n"
     "With --web it serves a page that shows the cluster, every Service's plan and why it is what "
     "it is, what another policy would do, and the Events. It is read-only unless "
     "--web-allow-changes is given, and opens to whoever has its token.",
     kControllerExamples},
    {"proxy", "Route the traffic of Services on this node, in the place of kube-proxy",
     "Watches Services and EndpointSlices and writes nftables rules for what a node is sent: "
     "cluster addresses, node ports, external and load balancer addresses, with the weights of "
     "zone splits where slices carry them and hints where they do not. Flags and the "
     "configuration file are kube-proxy's where they mean the same; its metrics and health checks "
     "have kube-proxy's names and ports. It needs CAP_NET_ADMIN in the node's network "
     "namespace.\n\n"
     "A start takes over what an earlier process left and changes only what differs, so a restart "
     "loses no connection. SIGTERM and SIGINT end it and leave the rules in the kernel; --cleanup "
     "removes them.\n\n"
     "Every service port has a reason why its traffic goes where it goes: as JSON at "
     "/debug/routes, for one Service with /debug/routes?service=NAMESPACE/NAME, and counted in "
     "the metric proxima_route_reason. Connections and bytes are counted by service and zone in "
     "proxima_service_connections_total and proxima_service_bytes_total, and by endpoint at "
     "/debug/flows.",
     kProxyExamples},
    {"sysdump", "Write an archive for a bug report, without secrets",
     "Collects what Proxima decides from: Namespaces, Nodes, Services, EndpointSlices and Pods, "
     "with the Lease of the controller and Events of controller and proxies. Of each object only "
     "the fields are written that Proxima reads, by one list: no environment, arguments, images, "
     "volumes, managed fields or other annotations. Secrets and ConfigMaps are never asked for. "
     "plan, explain, compare and migrate read the archive with -f, and answer as for the "
     "cluster.\n\n"
     "It also holds metrics and status pages of the controller and the node proxies: those that "
     "run on this machine, or at --controller and --node. On a node it adds the version of the "
     "kernel and the sizes of Proxima's nftables.\n\n"
     "What cannot be collected is left out with a warning, and listed in sysdump.json, the file "
     "that says what is in the archive. Names, labels and addresses of the cluster are in it: look "
     "at it before you share it. Only its owner may read it, and no file is overwritten.",
     kSysdumpExamples},
    {"completion", "Write a completion script for a shell",
     "Generated from the same definitions as the flags themselves.", kCompletionExamples},
    {"man", "Write the manual page", "Written in roff, for man, or as a page in Markdown.",
     kManExamples},
    {"version", "Show the version", "", kVersionExamples},
    {"help", "Show help for a command", "", kHelpExamples},
};

}  // namespace

std::string_view program_summary() {
  return "keep Kubernetes service traffic close, without overload, and say why";
}

std::string_view program_description() {
  return "Proxima decides which endpoints of a Service each zone should use. plan, explain, "
         "compare "
         "and migrate read what \"kubectl get … -o json\" (or -o yaml) wrote, or a live cluster as "
         "kubectl finds it, change nothing, and show where traffic will go, why, and what another "
         "policy would do. controller makes it so, and proxy routes by it; check says whether a "
         "cluster is ready for them. up shows all of it at work on this machine.";
}

const CommandText& text_of_command(std::string_view name) {
  for (const CommandText& text : kCommands) {
    if (text.name == name) return text;
  }
  check_failed("a command has words", __FILE_NAME__, __LINE__);
}

}  // namespace proxima::cli
