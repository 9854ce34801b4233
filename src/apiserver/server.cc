// SPDX-License-Identifier: Apache-2.0
#include "apiserver/server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "apiserver/api_handler.h"
#include "apiserver/data_directory.h"
#include "apiserver/discovery.h"
#include "apiserver/first_objects.h"
#include "apiserver/garbage_collector.h"
#include "apiserver/namespace_cleaner.h"
#include "apiserver/object_meta.h"
#include "apiserver/object_registry.h"
#include "apiserver/retention.h"
#include "apiserver/secret_bytes.h"
#include "net/http_server.h"

namespace proxima::apiserver {
namespace {

constexpr std::chrono::milliseconds kStopGrace{5'000};
constexpr std::size_t kChoresAtOnce = 4;
constexpr std::chrono::milliseconds kChoresTime{5};

// "https://[::1]:6443"; an address that means all of them is reached through the loopback.
std::string host_text(const std::string& address) {
  if (address == "0.0.0.0") return "127.0.0.1";
  if (address == "::") return "[::1]";
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

std::vector<std::string> certificate_names(const ServerOptions& options) {
  std::vector<std::string> names = {"localhost",
                                    "kubernetes",
                                    "kubernetes.default",
                                    "kubernetes.default.svc",
                                    "kubernetes.default.svc.cluster.local",
                                    "127.0.0.1",
                                    "::1"};
  const auto add = [&names](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  if (options.address != "0.0.0.0" && options.address != "::") add(options.address);
  for (const std::string& cidr : options.ranges.service_cidrs) add(first_address(cidr));
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) add(host.data());
  return names;
}

class EmbeddedServer final : public Server, private net::HttpHandler {
 public:
  EmbeddedServer(ServerOptions options, const Clock& clock)
      : options_(std::move(options)), clock_(clock) {}

  ~EmbeddedServer() override {
    const std::lock_guard lock(wake_mutex_);
    wakes_ = nullptr;
  }

  // In this order: the directory, what must not be shared in it, then the rest.
  Status start() {
    PROXIMA_TRY(DataDirectory directory, DataDirectory::open(options_.data_directory),
                "data directory");
    prepare_discovery();
    auto done = open_store();
    if (done) done = listen(directory);
    if (done) done = fill();
    if (done) done = write_kubeconfigs(directory);
    return done;
  }

  std::string url() const override {
    return "https://" + host_text(options_.address) + ":" + std::to_string(http_->port());
  }
  const std::string& kubeconfig() const override { return kubeconfig_; }

  void run() override { http_->run(); }
  void stop() override { http_->stop(kStopGrace); }

 private:
  Status open_store() {
    StoreOptions store_options;
    store_options.path = database_path(options_.data_directory);
    store_options.durability = options_.durability;
    store_options.on_commit = [this] {
      const std::lock_guard lock(wake_mutex_);
      if (wakes_ == nullptr) return;
      wakes_->wake();
      if (chores_wait_for_disk_.exchange(false)) wakes_->post([this] { schedule_chores(); });
    };
    PROXIMA_TRY(store_, Store::open(std::move(store_options)), options_.data_directory);
    PROXIMA_TRY(allocator_, ServiceAllocator::create(options_.ranges), "service addresses");
    store_->scan(Kind::Service, {}, store_->revision(), {},
                 [this](const ObjectKey&, const StoredObjectPtr& object) {
                   allocator_->adopt(parse_stored(object->json));
                   return true;
                 });
    registry_ = std::make_unique<ObjectRegistry>(*store_, *allocator_, clock_, secret_seed(),
                                                 options_.gates);
    return Unit{};
  }

  Status listen(DataDirectory& directory) {
    PROXIMA_TRY(identity_, directory.identity(certificate_names(options_), clock_.wall_now()),
                "identity");
    net::HttpServerOptions http;
    http.address = options_.address;
    http.port = options_.port;
    http.certificate_pem = identity_.certificate.certificate_pem;
    http.key_pem = identity_.certificate.key_pem;
    http.policy = kApiListener;
    http.renewal = renewal();
    PROXIMA_TRY(http_, net::HttpServer::create(std::move(http), *this), "start");
    const std::lock_guard lock(wake_mutex_);
    wakes_ = http_.get();
    handler_ = std::make_unique<ApiHandler>(
        *store_, *registry_, clock_,
        ApiHandlerOptions{identity_.tokens,
                          host_text(options_.address) + ":" + std::to_string(http_->port())});
    return Unit{};
  }

  // A server that runs for longer than its certificate is good makes itself a new one in time.
  net::CertificateRenewal renewal() {
    return {.fetch = [this]() -> Result<net::CertificateAndKey> {
              PROXIMA_TRY(DataDirectory directory, DataDirectory::open(options_.data_directory),
                          "data directory");
              PROXIMA_TRY(ServerIdentity identity,
                          directory.identity(certificate_names(options_), clock_.wall_now()),
                          "identity");
              return std::move(identity.certificate);
            },
            .failed =
                [this](const Error& error) {
                  if (options_.log)
                    options_.log("error: the certificate cannot be renewed: " + error.message);
                }};
  }

  // The objects that are always there, and those who look after the others.
  Status fill() {
    const auto wake = [this] { schedule_chores(); };
    collector_ = std::make_unique<GarbageCollector>(*registry_, wake);
    cleaner_ = std::make_unique<NamespaceCleaner>(*registry_, wake);
    retention_ = std::make_unique<Retention>(*store_, *registry_, clock_, options_.retention);
    return make_first_objects(
        *registry_, {options_.ranges.service_cidrs, options_.address, http_->port()}, clock_);
  }

  Status write_kubeconfigs(const DataDirectory& directory) {
    kubeconfig_ = options_.kubeconfig.empty() ? directory.admin_kubeconfig() : options_.kubeconfig;
    const auto text = [this](User user, const std::string& token) {
      return kubeconfig_text({url(), identity_.authority_pem, std::string(user_name(user)), token});
    };
    auto done = write_private_file(kubeconfig_, text(User::Admin, identity_.tokens.admin));
    if (!done) return done;
    return write_private_file(directory.reader_kubeconfig(),
                              text(User::Reader, identity_.tokens.reader));
  }

  net::Admission admit(const net::HttpRequest& head) override { return handler_->admit(head); }
  net::Reply handle(const net::HttpRequest& request) override {
    report_failure();
    if (retention_->is_due()) schedule_chores();
    return handler_->handle(request);
  }

  void report_failure() {
    if (failure_reported_ || !store_->failure()) return;
    failure_reported_ = true;
    if (options_.log) options_.log("error: the store has stopped writing: " + *store_->failure());
  }

  // A few at a time, so that requests have their turn.
  void schedule_chores() {
    if (std::exchange(chores_scheduled_, true)) return;
    http_->post([this] {
      chores_scheduled_ = false;
      if (store_->failure() || wait_for_disk()) return;
      if (do_chores()) schedule_chores();
    });
  }

  // Whether chores must be resumed by the next commit, because the write queue is full. Checked
  // twice: that commit may have happened in between.
  bool wait_for_disk() {
    if (!store_->congested()) return false;
    chores_wait_for_disk_ = true;
    return store_->congested() || !chores_wait_for_disk_.exchange(false);
  }

  // Whether there is more to do. How long one chore takes depends on the size of its objects.
  bool do_chores() {
    const auto enough = clock_.steady_now() + kChoresTime;
    bool more = true;
    while (more && !store_->congested() && clock_.steady_now() < enough) {
      const bool collects = collector_->step(kChoresAtOnce);
      const bool cleans = cleaner_->step(kChoresAtOnce);
      const bool expires = retention_->step(kChoresAtOnce);
      more = collects || cleans || expires;
    }
    return more;
  }

  ServerOptions options_;
  const Clock& clock_;
  std::mutex wake_mutex_;
  net::HttpServer* wakes_ = nullptr;  // by the store's writer; null: there is nobody to wake
  std::unique_ptr<ServiceAllocator> allocator_;
  // Replies that are under way look into the store, so it outlives the server; its last commit
  // finds nobody to wake.
  std::unique_ptr<Store> store_;
  std::unique_ptr<ObjectRegistry> registry_;
  std::unique_ptr<GarbageCollector> collector_;
  std::unique_ptr<NamespaceCleaner> cleaner_;
  std::unique_ptr<Retention> retention_;
  std::unique_ptr<ApiHandler> handler_;
  std::unique_ptr<net::HttpServer> http_;
  ServerIdentity identity_;
  std::string kubeconfig_;
  bool chores_scheduled_ = false;
  std::atomic<bool> chores_wait_for_disk_ = false;
  bool failure_reported_ = false;
};

}  // namespace

std::string database_path(const std::string& data_directory) {
  return data_directory + "/proxima.db";
}

Result<std::unique_ptr<Server>> Server::create(ServerOptions options, const Clock& clock) {
  auto server = std::make_unique<EmbeddedServer>(std::move(options), clock);
  auto started = server->start();
  if (!started) return std::move(started).error();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace proxima::apiserver
