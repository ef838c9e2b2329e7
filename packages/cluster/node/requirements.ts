// SPDX-License-Identifier: Apache-2.0
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { runCommand } from '../host/run-command.ts';

/** A requirement of the node that this machine does not meet. */
export interface Requirement {
  what: string;
  why: string;
  remedy: string;
}

/** Facts about the machine. */
export interface HostFacts {
  platform: string;
  arch: string;
  /** The missing programs. */
  missingPrograms: readonly string[];
  /** The error of unshare when it could not create the node's namespaces; undefined when it could. */
  namespacesRefused?: string | undefined;
  /** The kernel settings about user namespaces on this machine. */
  settings: Readonly<Partial<Record<NamespaceSetting, string>>>;
}

type NamespaceSetting = (typeof namespaceSettings)[number];

/** The required programs of the host, by Debian package. */
const programs = {
  apt: ['apt-get'],
  coreutils: ['env', 'sync'],
  dpkg: ['dpkg-deb'],
  tar: ['tar'],
  'util-linux': ['flock', 'setpriv', 'unshare'],
};

const namespaceSettings = [
  'kernel.apparmor_restrict_unprivileged_userns',
  'kernel.unprivileged_userns_clone',
  'user.max_user_namespaces',
] as const;

/** The requirements that this machine does not meet. */
export async function missingRequirements(): Promise<Requirement[]> {
  return requirementsFor(await gatherFacts());
}

/** Derives the unmet requirements from the facts, most basic ones first. */
export function requirementsFor(facts: HostFacts): Requirement[] {
  if (facts.platform !== 'linux') {
    return [
      {
        what: `Linux is needed, this is ${facts.platform}`,
        why: 'pods are processes in Linux namespaces',
        remedy: 'run Forge in a Linux virtual machine',
      },
    ];
  }
  const missing: Requirement[] = [];
  if (facts.arch !== 'x64') {
    missing.push({
      what: `an x86_64 processor is needed, this is ${facts.arch}`,
      why: 'the packages of the images are locked for x86_64 only',
      remedy: 'run Forge on an x86_64 machine, or use a real cluster',
    });
  }
  for (const [debianPackage, names] of Object.entries(programs)) {
    const absent = names.filter((name) => facts.missingPrograms.includes(name));
    if (absent.length > 0) missing.push(programRequirement(debianPackage, absent));
  }
  const wasTested = !facts.missingPrograms.includes('unshare');
  if (wasTested && facts.namespacesRefused !== undefined)
    missing.push(namespaceRequirement(facts, facts.namespacesRefused));
  return missing;
}

function programRequirement(debianPackage: string, names: readonly string[]): Requirement {
  const what = `${names.join(', ')} not found`;
  if (debianPackage === 'apt' || debianPackage === 'dpkg') {
    return {
      what,
      why: 'images are assembled from Debian packages, fetched and verified by the host’s apt',
      remedy: 'run Forge on Debian, Ubuntu or a derivative',
    };
  }
  return {
    what,
    why: 'the node uses it to create namespaces and to unpack images',
    remedy: `install the package ${debianPackage}, and make sure its programs are in PATH`,
  };
}

function namespaceRequirement({ settings }: HostFacts, refusal: string): Requirement {
  const why = 'the node runs its network, mounts and processes in its own namespaces, so that it needs no root';
  if (settings['kernel.apparmor_restrict_unprivileged_userns'] === '1') {
    return {
      what: 'AppArmor blocks user namespaces of unprivileged programs (the default since Ubuntu 24.04)',
      why,
      remedy: allow('kernel.apparmor_restrict_unprivileged_userns', '0'),
    };
  }
  if (settings['kernel.unprivileged_userns_clone'] === '0') {
    return {
      what: 'the kernel disables user namespaces for unprivileged users',
      why,
      remedy: allow('kernel.unprivileged_userns_clone', '1'),
    };
  }
  if (settings['user.max_user_namespaces'] === '0') {
    return { what: 'the kernel allows no user namespaces', why, remedy: allow('user.max_user_namespaces', '15000') };
  }
  return {
    what: `namespaces cannot be created: ${refusal}`,
    why,
    remedy:
      'inside a container, start it with more privileges (for Docker, --privileged); otherwise check for a security module that blocks them',
  };
}

function allow(setting: NamespaceSetting, value: string): string {
  return `sudo sysctl ${setting}=${value} allows it until the next boot; the same line in a file in /etc/sysctl.d makes it permanent`;
}

async function gatherFacts(): Promise<HostFacts> {
  const { platform, arch } = process;
  if (platform !== 'linux') return { platform, arch, missingPrograms: [], settings: {} };
  const absent = 'for name; do command -v "$name" >/dev/null || echo "$name"; done';
  const [missing, namespacesRefused, found] = await Promise.all([
    runCommand(['sh', '-c', absent, 'sh', ...Object.values(programs).flat()]),
    tryNamespaces(),
    Promise.all(namespaceSettings.map(async (name) => [name, await readSetting(name)] as const)),
  ]);
  return {
    platform,
    arch,
    missingPrograms: missing.split('\n'),
    namespacesRefused,
    settings: Object.fromEntries(found),
  };
}

async function tryNamespaces(): Promise<string | undefined> {
  const command = ['unshare', '--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', 'true'];
  return runCommand(command).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function readSetting(name: NamespaceSetting): Promise<string | undefined> {
  return (await readFileIfExists(`/proc/sys/${name.replace('.', '/')}`))?.toString().trim();
}
