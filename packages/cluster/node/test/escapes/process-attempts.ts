// SPDX-License-Identifier: Apache-2.0
import { toolsInside } from '../../../host/toolbox.ts';
import { launchersInside } from '../../confinement/launchers.ts';
import { alone, atV, escaped, scripted, type Attempt } from './attempt.ts';
import { claim } from './claim-attempts.ts';

const asRoot = { securityContext: { runAsUser: 0 } };
const won = `&& echo ${escaped}`;

/** Kernel settings that would be writable for the owner of the node if not covered; none is changed. */
export const kernelFiles = `
for file in kernel/core_pattern kernel/modprobe kernel/hostname vm/overcommit_memory net/ipv4/ip_forward; do
  (cat /proc/sys/$file > /tmp/value; cat /tmp/value > /proc/sys/$file) ${won}
done
for file in sysrq-trigger irq/default_smp_affinity kcore kmsg keys timer_list; do
  (: >> /proc/$file) ${won}
done
head -c 1 /proc/kcore ${won}
cat /proc/keys /proc/timer_list | sed 's/^/${escaped} /'`;

/** New namespaces, and what can be mounted in them. */
export const namespaces = `
unshare --user --map-root-user true ${won}
unshare --user --map-root-user --mount --pid --fork mount -t proc proc /mnt ${won}
unshare --user --map-root-user --net --mount mount -t sysfs sysfs /sys ${won}`;

/** Operations that need capabilities. */
export const mounts = `
mkdir -p /tmp/m
mount -t proc proc /tmp/m ${won}
mount -t sysfs sysfs /tmp/m ${won}
mount -t tmpfs tmpfs /tmp/m ${won}
umount /proc/sys ${won}
mount -o remount,bind,rw /proc/sys ${won}
mount -o remount,bind,rw /ro ${won}
echo x > /ro/written ${won}
mknod /tmp/disk b 8 0 ${won}
mknod /tmp/memory c 1 1 ${won}
unshare --mount mount -o remount,bind,rw /ro ${won}
unshare --mount umount /proc/sys ${won}
unshare --mount --pid --fork mount -t proc proc /tmp/m ${won}
sed -n '/^Cap/p' /proc/self/status | sed -n '/0000000000000000/!s/^/${escaped} /p'
sed -n '/^NoNewPrivs:.*0/s/^/${escaped} /p' /proc/self/status`;

export const readOnlyVolume = {
  name: 'ro',
  downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
};
export const atRo = { name: 'ro', mountPath: '/ro' };

/** Runs a script in a probe, and prints its output. */
function byProbe(script: string) {
  const probe = scripted('probe', `(${script}\n) > /v/out 2>&1; echo attempted >> /v/out`);
  return {
    ...alone('until [ "$(tail -n 1 /v/out)" = attempted ]; do sleep 0.1; done; cat /v/out', {
      ...asRoot,
      volumeMounts: [atV, atRo],
      startupProbe: { exec: { command: probe.command ?? [] }, timeoutSeconds: 30, failureThreshold: 100 },
    }),
    volumes: [{ name: 'shared', emptyDir: {} }, readOnlyVolume],
  };
}

/** Runs the loader of the node's programs, whose file must not be writable, not even when no process executes it. */
const programScript = `/usr/bin/test -w /proc/$$/exe ${won}; readlink /proc/$$/exe; echo attempted`;
export const itsOwnProgram = ['/proc/self/exe', '/usr/bin/sh', '-c', programScript];

/** Attempts of a process inside its container. */
export const processAttempts: readonly Attempt[] = [
  { name: "the kernel's files in /proc, as root", spec: () => alone(kernelFiles, asRoot) },
  { name: "the kernel's files in /proc", spec: () => alone(kernelFiles) },
  { name: "the kernel's files in /proc, by a probe", spec: () => byProbe(kernelFiles) },
  { name: 'namespaces inside a container, as root', spec: () => alone(namespaces, asRoot) },
  { name: 'namespaces inside a container', spec: () => alone(namespaces) },
  { name: 'namespaces inside a container, by a probe', spec: () => byProbe(namespaces) },
  {
    name: 'mounts and device files inside a container, as root',
    spec: () => ({ ...alone(mounts, { ...asRoot, volumeMounts: [atRo] }), volumes: [readOnlyVolume] }),
  },
  { name: 'mounts and device files inside a container, by a probe', spec: () => byProbe(mounts) },
  {
    name: 'paths of the host in the list of mounts',
    spec: () => ({
      ...alone(
        `for file in mountinfo mounts mountstats; do
  cat /proc/self/$file
  sed -n "\\#$HOST#s/^/${escaped} /p; \\#layers#s/^/${escaped} /p" /proc/self/$file
done`,
        { volumeMounts: [atV, atRo] },
      ),
      volumes: [{ name: 'shared', emptyDir: {} }, readOnlyVolume],
    }),
  },
  {
    name: 'paths of the host in the list of mounts: the folder of a claim, and no other',
    claims: () => [claim('listed')],
    spec: () => ({
      ...alone(
        `shown=$(cat /proc/self/mountinfo /proc/self/mounts /proc/self/mountstats | grep -e "\${HOST##*/}" -e layers)
echo "$shown"
echo "$shown" | sed -n "1s#^[0-9]* [0-9]* [0-9:]* [^ ]*/\${HOST##*/}/volumes/pvc-[-0-9a-f]* /w .*##; /./s/^/${escaped} /p"`,
        { volumeMounts: [atV, atRo, { name: 'claimed', mountPath: '/w' }] },
      ),
      volumes: [
        { name: 'shared', emptyDir: {} },
        readOnlyVolume,
        { name: 'claimed', persistentVolumeClaim: { claimName: 'listed' } },
      ],
    }),
    ends: /\/volumes\/pvc-\S+ \/w [^]*attempted/,
  },
  {
    name: 'device files of the host',
    spec: () =>
      alone(
        `ls /dev | sed -n '/^[shv]d\\|^nvme\\|^mem\\|^kmsg\\|^fuse\\|^loop\\|^kvm/s/^/${escaped} /p'; ls /sys/* ${won}`,
        asRoot,
      ),
  },
  {
    name: 'the folders of all processes in /proc',
    spec: () =>
      alone(
        `for p in /proc/[0-9]* /proc/self /proc/thread-self; do cat $p/root$HOST/secret; cat $p/cwd$HOST/secret; done
ls /proc | sed -n '/^[0-9]/p' | wc -l | sed -n '/^[0-9]$/!s/^/${escaped} processes /p'
cat /proc/*/environ | tr '\\0' '\\n' | sed -n '/VICTIM/s/^/${escaped} /p'
for i in 3 4 5 6 7 8 9 10 11 12; do test -e /proc/1/fd/$i ${won}; done`,
        asRoot,
      ),
  },
  {
    name: 'the program that started the container',
    spec: () => ({ containers: [{ ...scripted('main', ''), command: itsOwnProgram }] }),
  },
  {
    name: 'the programs of the node inside a container, as root',
    spec: () =>
      alone(
        `for folder in ${toolsInside} ${launchersInside}; do
  ls $folder
  for file in $folder $folder/* $folder/usr/bin/nsenter; do /usr/bin/test -w $file ${won}; done
  echo x > $folder/written ${won}
done`,
        asRoot,
      ),
    ends: /^around-confined$[^]*^confined$[^]*attempted/m,
  },
  {
    name: 'the program that runs a probe',
    spec: () => ({
      ...alone('until [ -s /v/out ]; do sleep 0.1; done; cat /v/out', {
        volumeMounts: [atV],
        startupProbe: {
          exec: { command: [...itsOwnProgram.slice(0, -1), `(${programScript}) > /v/out 2>&1`] },
          failureThreshold: 100,
        },
      }),
      volumes: [{ name: 'shared', emptyDir: {} }],
    }),
  },
  {
    name: 'options for the sandbox in a variable',
    spec: () => alone('cat /w$HOST/secret', { env: [{ name: 'A', value: 'b\0--bind\0/\0/w' }] }),
    ends: /NUL/,
  },
  {
    name: 'options for the sandbox in a working directory',
    spec: () => alone('cat /w$HOST/secret', { workingDir: '/\0--bind\0/\0/w' }),
    ends: /NUL/,
  },
  {
    name: "the host's network",
    spec: () =>
      alone(
        `for host in 127.0.0.1 $ADDRESS 10.244.0.1 localhost; do
  mariadb --no-defaults --protocol tcp --host $host --port $PORT --connect-timeout 2 2>&1 | sed -n '/CANARY/s/^/${escaped} /p'
done
sed -n '/\\.sock/s/^/${escaped} /p' /proc/net/unix
sed -n '3,$p' /proc/net/dev | sed -n '/eth0\\|lo:/!s/^/${escaped} /p'`,
      ),
  },
  {
    name: 'hostNetwork, hostPID and hostIPC',
    spec: () => ({
      ...alone(`mariadb --no-defaults --protocol tcp --host 127.0.0.1 --port $PORT --connect-timeout 2`),
      hostNetwork: true,
      hostPID: true,
      hostIPC: true,
    }),
  },
  {
    name: 'an ephemeral container, as root: kernel files, namespaces and mounts',
    spec: () => ({ ...alone('sleep 120', { volumeMounts: [atRo] }), volumes: [readOnlyVolume] }),
    ephemeral: scripted('debug', [kernelFiles, namespaces, mounts].join('\n'), { ...asRoot, volumeMounts: [atRo] }),
  },
  {
    name: 'an ephemeral container: the folders of the processes of its target in /proc',
    spec: () => alone('sleep 120'),
    ephemeral: {
      ...scripted('debug', 'for p in /proc/[0-9]*; do cat $p/root$HOST/secret $p/cwd$HOST/secret; done', asRoot),
      targetContainerName: 'main',
    },
  },
  {
    name: 'a privileged container',
    spec: () =>
      alone(mounts, {
        securityContext: { privileged: true, runAsUser: 0, capabilities: { add: ['SYS_ADMIN'] } },
      }),
  },
];
