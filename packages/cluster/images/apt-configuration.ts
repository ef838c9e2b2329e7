// SPDX-License-Identifier: Apache-2.0

/**
 * Packages needed only by maintainer scripts, which we do not run; apt assumes them installed. Otherwise memcached
 * would pull in Perl, adduser and an init system.
 */
const scriptsOnly = [
  'adduser',
  'debconf',
  'dpkg',
  'init-system-helpers',
  'install-info',
  'lsb-base',
  'openssl',
  'passwd',
  'perl',
  'perl-base',
  'sysvinit-utils',
  'ucf',
  'usr-is-merged',
  'usrmerge',
];

/** A dpkg status file that lists only {@link scriptsOnly}. */
export function assumedStatus(): string {
  return scriptsOnly.map(statusEntry).join('\n');
}

function statusEntry(name: string): string {
  const provides = name === 'debconf' ? 'Provides: debconf-2.0\n' : '';
  return `Package: ${name}
Status: install ok installed
Architecture: all
Multi-Arch: allowed
Version: 9999
${provides}Maintainer: forge
Description: assumed to be there
`;
}

/** A Debian release, and that of the machine. */
export interface OtherRelease {
  wanted: string;
  host: string;
}

/** The keyring of all Debian releases, from Debian's own package. */
const debianKeys = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * The sources of another release, from what `apt-get update --print-uris` prints for the host's: `bookworm-updates`
 * becomes `trixie-updates` on the same mirror. They must be signed by Debian.
 */
export function sourcesOf({ wanted, host }: OtherRelease, printed: string): string {
  const found = printed.matchAll(/^'([^']+)\/dists\/([^/']+)\/InRelease' /gm);
  const lines = [...found].flatMap(([, uri = '', suite = '']) => {
    if (suite !== host && !suite.startsWith(`${host}-`)) return [];
    return [`deb [signed-by=${debianKeys}] ${uri} ${wanted}${suite.slice(host.length)} main\n`];
  });
  return lines.join('');
}

/**
 * Read after the host's configuration: apt writes only below `state`, and hooks of the host do not run. Sources are the
 * host's unless a file is given.
 */
export function aptConfiguration(state: string, sources?: string): string {
  const own = sources === undefined ? '' : `Dir::Etc::sourcelist "${sources}";\nDir::Etc::sourceparts "-";\n`;
  return `${own}#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Periodic;
#clear Acquire::IndexTargets::deb::CNF;
#clear Acquire::IndexTargets::deb::DEP-11;
#clear Acquire::IndexTargets::deb-src;
Acquire::ForceHash "SHA256";
Acquire::Languages "none";
APT::Sandbox::User "";
Dir::Cache "${state}/cache";
Dir::Cache::archives "archives";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "";
Dir::Log "${state}/log";
Dir::State "${state}";
Dir::State::extended_states "extended_states";
Dir::State::lists "lists";
Dir::State::status "${state}/status";
`;
}
