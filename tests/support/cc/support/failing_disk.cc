// SPDX-License-Identifier: Apache-2.0
#include "support/failing_disk.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "base/split_mix.h"
#include "support/file_text.h"

namespace proxima::test {

enum class DiskMode { Sound, Failing, Full, Dead };

struct CachedWrite {
  std::size_t offset = 0;
  std::string bytes;

  // The first `kept` bytes.
  void reach(std::string& file, std::size_t kept) const {
    if (kept == 0) return;
    if (file.size() < offset + kept) file.resize(offset + kept);
    file.replace(offset, kept, bytes, 0, kept);
  }
};

// What a file is on the disk, whatever the kernel's cache has: a file is read from the latter.
struct FileOnDisk {
  std::string bytes;
  std::vector<CachedWrite> unsynced;  // in the cache alone

  // All that was written is on the disk.
  void sync() {
    for (const CachedWrite& write : unsynced) write.reach(bytes, write.bytes.size());
    unsynced.clear();
  }
  // Each write is on the disk, is not, or is half there; no later sync changes that.
  void forget_unsynced(SplitMix& random) {
    for (const CachedWrite& write : unsynced) {
      const std::uint64_t fate = random.below(5);
      const std::size_t size = write.bytes.size();
      write.reach(bytes, fate < 2 ? 0 : fate == 2 ? size / 2 : size);
    }
    unsynced.clear();
  }
  void truncate(std::size_t size) {
    // Taken for synced: what lies behind the end is gone.
    bytes.resize(std::min(bytes.size(), size));
    std::erase_if(unsynced, [size](const CachedWrite& write) { return write.offset >= size; });
    for (CachedWrite& write : unsynced)
      write.bytes.resize(std::min(write.bytes.size(), size - write.offset));
  }
  // `size` bytes from `offset`; zeros behind the end.
  std::string part(std::size_t offset, std::size_t size) const {
    std::string out = offset < bytes.size() ? bytes.substr(offset, size) : std::string();
    out.resize(size);
    return out;
  }
};

struct FailingDisk::State {
  explicit State(std::uint64_t seed) : random(seed) {}

  std::mutex mutex;  // of everything: connections have threads of their own
  sqlite3_vfs shim{};
  sqlite3_vfs* real = nullptr;
  SplitMix random;
  DiskMode mode = DiskMode::Sound;
  bool holds_syncs = false;
  int held_syncs = 0;
  std::condition_variable released;
  std::uint64_t every = 0;
  std::uint64_t failures = 0;
  int last_error = 0;
  std::map<std::string, FileOnDisk> files;  // by path

  // Whether the next call fails, and with which error of the system.
  bool fails() {
    const bool drawn = mode == DiskMode::Failing && every != 0 && random.below(every) == 0;
    if (mode != DiskMode::Full && mode != DiskMode::Dead && !drawn) return false;
    ++failures;
    const bool full = mode == DiskMode::Full || (drawn && random.below(2) == 0);
    last_error = full ? ENOSPC : EIO;
    return true;
  }
};

namespace {

struct ShimFile {
  sqlite3_file base;
  FailingDisk::State* disk;
  std::string* path;  // owned
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

ShimFile& shim(sqlite3_file* file) { return *reinterpret_cast<ShimFile*>(file); }
sqlite3_file* real(sqlite3_file* file) { return shim(file).real(); }

FileOnDisk& on_disk(sqlite3_file* file) { return shim(file).disk->files[*shim(file).path]; }

int close_file(sqlite3_file* file) {
  const int code = real(file)->pMethods->xClose(real(file));
  delete shim(file).path;
  return code;
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), out, size, offset);
}

// What reaches the cache of a write: it may be the first half, and then an error.
int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  FailingDisk::State& disk = *shim(file).disk;
  const std::lock_guard lock(disk.mutex);
  const bool failed = disk.fails();
  if (disk.mode == DiskMode::Dead) return SQLITE_IOERR_WRITE;
  const bool torn = failed && disk.random.below(2) == 0;
  const int kept = !failed ? size : torn ? size / 2 : 0;
  if (kept > 0) {
    const int code = real(file)->pMethods->xWrite(real(file), bytes, kept, offset);
    if (code != SQLITE_OK) return code;
    on_disk(file).unsynced.push_back(
        {static_cast<std::size_t>(offset),
         std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(kept))});
  }
  if (!failed) return SQLITE_OK;
  return disk.last_error == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  FailingDisk::State& disk = *shim(file).disk;
  const std::lock_guard lock(disk.mutex);
  if (disk.mode != DiskMode::Full && disk.fails()) return SQLITE_IOERR_TRUNCATE;
  const int code = real(file)->pMethods->xTruncate(real(file), size);
  on_disk(file).truncate(static_cast<std::size_t>(size));
  return code;
}

// What a kernel may do when it cannot write its cache to the disk: keep all for the next sync, or
// take it for written. Then later reads see what was written, or, once the cache was needed for
// something else, what the disk has.
void fail_sync(sqlite3_file* file) {
  FailingDisk::State& disk = *shim(file).disk;
  if (disk.mode == DiskMode::Dead || disk.random.below(2) == 0) return;
  FileOnDisk& kept = on_disk(file);
  const std::vector<CachedWrite> writes = kept.unsynced;
  kept.forget_unsynced(disk.random);
  if (disk.random.below(2) == 0) return;
  for (const CachedWrite& write : writes) {
    const std::string bytes = kept.part(write.offset, write.bytes.size());
    real(file)->pMethods->xWrite(real(file), bytes.data(), static_cast<int>(bytes.size()),
                                 static_cast<sqlite3_int64>(write.offset));
  }
}

int sync_file(sqlite3_file* file, int flags) {
  FailingDisk::State& disk = *shim(file).disk;
  std::unique_lock lock(disk.mutex);
  ++disk.held_syncs;
  disk.released.wait(lock, [&] { return !disk.holds_syncs; });
  --disk.held_syncs;
  if (disk.mode != DiskMode::Full && disk.fails()) {
    fail_sync(file);
    return SQLITE_IOERR_FSYNC;
  }
  on_disk(file).sync();
  return real(file)->pMethods->xSync(real(file), flags);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock_file(sqlite3_file* file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
int unlock_file(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int check_reserved_lock(sqlite3_file* file, int* held) {
  return real(file)->pMethods->xCheckReservedLock(real(file), held);
}
int file_control(sqlite3_file* file, int operation, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int device_characteristics(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  FailingDisk::State& disk = *shim(file).disk;
  {
    const std::lock_guard lock(disk.mutex);
    if (extend != 0 && disk.mode == DiskMode::Full && disk.fails()) return SQLITE_IOERR_SHMSIZE;
  }
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int lock_shared(sqlite3_file* file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shared_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int unmap_shared(sqlite3_file* file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

constexpr sqlite3_io_methods kMethods = {2,
                                         close_file,
                                         read_file,
                                         write_file,
                                         truncate_file,
                                         sync_file,
                                         file_size,
                                         lock_file,
                                         unlock_file,
                                         check_reserved_lock,
                                         file_control,
                                         sector_size,
                                         device_characteristics,
                                         map_shared,
                                         lock_shared,
                                         shared_barrier,
                                         unmap_shared,
                                         nullptr,
                                         nullptr};

FailingDisk::State& disk_of(sqlite3_vfs* vfs) {
  return *static_cast<FailingDisk::State*>(vfs->pAppData);
}

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  FailingDisk::State& disk = disk_of(vfs);
  ShimFile& shim_file = shim(file);
  shim_file.base.pMethods = nullptr;
  const int code = disk.real->xOpen(disk.real, name, shim_file.real(), flags, out_flags);
  if (code != SQLITE_OK) return code;
  shim_file.disk = &disk;
  shim_file.path = new std::string(name == nullptr ? "" : name);
  {
    const std::lock_guard lock(disk.mutex);
    const auto [known, is_new] = disk.files.try_emplace(*shim_file.path);
    if (is_new) known->second.bytes = file_text(*shim_file.path);
  }
  shim_file.base.pMethods = &kMethods;
  return SQLITE_OK;
}
int delete_file(sqlite3_vfs* vfs, const char* name, int sync) {
  FailingDisk::State& disk = disk_of(vfs);
  const std::lock_guard lock(disk.mutex);
  if (disk.mode == DiskMode::Dead) return SQLITE_IOERR_DELETE;
  disk.files.erase(name);
  return disk.real->xDelete(disk.real, name, sync);
}
int access_file(sqlite3_vfs* vfs, const char* name, int flags, int* out) {
  return disk_of(vfs).real->xAccess(disk_of(vfs).real, name, flags, out);
}
int full_path(sqlite3_vfs* vfs, const char* name, int size, char* out) {
  return disk_of(vfs).real->xFullPathname(disk_of(vfs).real, name, size, out);
}
int randomness(sqlite3_vfs* vfs, int size, char* out) {
  return disk_of(vfs).real->xRandomness(disk_of(vfs).real, size, out);
}
int sleep_for(sqlite3_vfs* vfs, int microseconds) {
  return disk_of(vfs).real->xSleep(disk_of(vfs).real, microseconds);
}
int current_time(sqlite3_vfs* vfs, double* out) {
  return disk_of(vfs).real->xCurrentTime(disk_of(vfs).real, out);
}
int last_error(sqlite3_vfs* vfs, int, char*) { return disk_of(vfs).last_error; }

}  // namespace

FailingDisk::FailingDisk(std::uint64_t seed) : state_(std::make_unique<State>(seed)) {
  State& state = *state_;
  state.real = sqlite3_vfs_find(nullptr);
  state.shim.iVersion = 1;
  state.shim.szOsFile = static_cast<int>(sizeof(ShimFile)) + state.real->szOsFile;
  state.shim.mxPathname = state.real->mxPathname;
  state.shim.zName = "failing-disk";
  state.shim.pAppData = &state;
  state.shim.xOpen = open_file;
  state.shim.xDelete = delete_file;
  state.shim.xAccess = access_file;
  state.shim.xFullPathname = full_path;
  state.shim.xRandomness = randomness;
  state.shim.xSleep = sleep_for;
  state.shim.xCurrentTime = current_time;
  state.shim.xGetLastError = last_error;
  sqlite3_vfs_register(&state.shim, 1);
}

FailingDisk::~FailingDisk() {
  sqlite3_vfs_unregister(&state_->shim);
  sqlite3_vfs_register(state_->real, 1);
}

void FailingDisk::fail_one_in(std::uint64_t every) {
  const std::lock_guard lock(state_->mutex);
  state_->mode = every == 0 ? DiskMode::Sound : DiskMode::Failing;
  state_->every = every;
}

void FailingDisk::hold_syncs() {
  const std::lock_guard lock(state_->mutex);
  state_->holds_syncs = true;
}

void FailingDisk::release_syncs() {
  const std::lock_guard lock(state_->mutex);
  state_->holds_syncs = false;
  state_->released.notify_all();
}

bool FailingDisk::holds_a_sync() const {
  const std::lock_guard lock(state_->mutex);
  return state_->held_syncs > 0;
}

void FailingDisk::fill_up() {
  const std::lock_guard lock(state_->mutex);
  state_->mode = DiskMode::Full;
}

void FailingDisk::cut_power() {
  const std::lock_guard lock(state_->mutex);
  state_->mode = DiskMode::Dead;
}

void FailingDisk::lose_unsynced() {
  const std::lock_guard lock(state_->mutex);
  for (auto& [path, file] : state_->files) {
    if (path.empty()) continue;
    file.forget_unsynced(state_->random);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << file.bytes;
  }
}

std::uint64_t FailingDisk::failures() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failures;
}

}  // namespace proxima::test
