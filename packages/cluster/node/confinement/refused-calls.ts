// SPDX-License-Identifier: Apache-2.0
import type { Machine } from './machine.ts';

/** The number of a system call on each processor; undefined where it does not exist. */
type Numbers = Readonly<Record<Machine, number | undefined>>;

const call = (x64: number, arm64?: number): Numbers => ({ x64, arm64 });

/** Calls since version 5.1 of the kernel have the same number everywhere. */
const newCall = (number: number): Numbers => call(number, number);

/**
 * The system calls that no container may make: those that the RuntimeDefault profile of container engines does not
 * allow to a container without capabilities.
 */
export const refusedCalls: Readonly<Record<string, Numbers>> = {
  // Keys, which no namespace isolates.
  add_key: call(248, 217),
  request_key: call(249, 218),
  keyctl: call(250, 219),
  // Large parts of the kernel that are often attacked.
  bpf: call(321, 280),
  io_uring_setup: newCall(425),
  io_uring_enter: newCall(426),
  io_uring_register: newCall(427),
  perf_event_open: call(298, 241),
  userfaultfd: call(323, 282),
  // Namespaces and mounts.
  chroot: call(161, 51),
  fsconfig: newCall(431),
  fsmount: newCall(432),
  fsopen: newCall(430),
  fspick: newCall(433),
  mount: call(165, 40),
  mount_setattr: newCall(442),
  move_mount: newCall(429),
  open_by_handle_at: call(304, 265),
  open_tree: newCall(428),
  open_tree_attr: newCall(467),
  pivot_root: call(155, 41),
  setns: call(308, 268),
  umount2: call(166, 39),
  unshare: call(272, 97),
  // Access to other processes with other checks than those of ptrace.
  kcmp: call(312, 272),
  pidfd_getfd: newCall(438),
  process_madvise: newCall(440),
  // The machine: its modules, clock, names, memory, log, devices.
  acct: call(163, 89),
  clock_settime: call(227, 112),
  create_module: call(174),
  delete_module: call(176, 106),
  fanotify_init: call(300, 262),
  finit_module: call(313, 273),
  get_kernel_syms: call(177),
  get_mempolicy: call(239, 236),
  init_module: call(175, 105),
  ioperm: call(173),
  iopl: call(172),
  kexec_file_load: call(320, 294),
  kexec_load: call(246, 104),
  lookup_dcookie: call(212, 18),
  mbind: call(237, 235),
  migrate_pages: call(256, 238),
  move_pages: call(279, 239),
  nfsservctl: call(180, 42),
  query_module: call(178),
  quotactl: call(179, 60),
  quotactl_fd: newCall(443),
  reboot: call(169, 142),
  set_mempolicy: call(238, 237),
  set_mempolicy_home_node: newCall(450),
  setdomainname: call(171, 162),
  sethostname: call(170, 161),
  settimeofday: call(164, 170),
  swapoff: call(168, 225),
  swapon: call(167, 224),
  sysfs: call(139),
  syslog: call(103, 116),
  _sysctl: call(156),
  uselib: call(134),
  ustat: call(136),
  vhangup: call(153, 58),
  vserver: call(236),
};

/** System calls that are allowed depending on their first argument, or that programs expect to be absent. */
export const checkedCalls = {
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  personality: { x64: 135, arm64: 92 },
  socket: { x64: 41, arm64: 198 },
} as const;

/** The last system call that the list considers; to containers, later ones do not exist. */
export const lastKnownCall = 467;
