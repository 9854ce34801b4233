#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Process 1 of a node, in its own namespaces: node_init.sh FOLDER NAME KUBELET IMAGES
# Mounts the node's root, starts containerd, imports the images and keeps kubelet running.
set -eu
folder=$1 name=$2 kubelet=$3 images=$4
root=$folder/root

hostname "$name"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root"
mount -t proc proc "$root/proc"
# /sys of this network namespace, with the control groups of the machine.
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
# An overlay cannot be the upper layer of another, which is what containers get.
mkdir -p "$root/node" "$root/images" "$root/var/lib/containerd" "$root/var/lib/kubelet" "$root/etc/cni/net.d"
mount --bind "$folder" "$root/node"
mount --bind "$images" "$root/images"
mount --bind "$folder/containerd" "$root/var/lib/containerd"
mount --bind "$folder/kubelet" "$root/var/lib/kubelet"
mount --make-rshared "$root/var/lib/kubelet"
mount --bind "$folder/cni" "$root/etc/cni/net.d"
for path in "$folder/../pki" "$(dirname "$kubelet")"; do
  path=$(realpath "$path")
  mkdir -p "$root$path"
  mount --bind "$path" "$root$path"
done
mkdir "$root/run/machine"
cd "$root"
pivot_root . run/machine
umount -l /run/machine

# kubelet wants these values; the machine keeps its own.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=/run/settings/${setting%=*}
  mkdir -p "$(dirname "$file")"
  echo "${setting#*=}" >"$file"
  mount --bind "$file" "/proc/sys/${setting%=*}"
done

containerd -c /node/containerd.toml >>/node/containerd.log 2>&1 &
until ctr version >/dev/null 2>&1; do sleep 0.1; done
for image in /images/*.tar; do
  ctr -n k8s.io images import "$image" >>/node/import.log 2>&1
done
set -f # flags with wildcards stay as they are
while :; do
  # shellcheck disable=SC2046  # one flag a line, none with a space
  "$kubelet" $(cat /node/kubelet-flags) >>/node/kubelet.log 2>&1 || true
  sleep 1
done
