// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Service addresses are handed out above the first 256, which are left to those who ask for one. */
const chosenAddress = /\b10\.96\.(?!0\.)\d+\.\d+\b/g;
/** The same of node ports. */
const chosenPorts = { from: 30_086, to: 32_767 };
/** Webhooks listen on this machine, on a port that was free. */
const webhook = /(?:\b127\.0\.0\.1|\blocalhost|\.svc):\d{5}\b/g;
const freePorts = 32_768;
const tokenId = /\bJTI=[0-9a-f-]{36}\b/g;
const tokenVolume = /\bkube-api-access-[a-z0-9]{5}\b/g;

/** Values a server made up, and the placeholders for them. */
export class Placeholders {
  readonly #placeholders = new Map<string, string>();

  /** Notes the made-up values of an object: its uid, its generated name. */
  note({ uid, name, generateName }: JsonObject): void {
    if (typeof uid === 'string' && uuid.test(uid)) this.#add(uid, 'uid');
    if (typeof name === 'string' && typeof generateName === 'string' && name.startsWith(generateName)) {
      this.#add(name, 'suffix', generateName);
    }
  }

  /** The text with placeholders for whatever in it is made up. */
  text(text: string): string {
    let replaced = text
      .replaceAll(webhook, (host) => host.replace(/\d+$/, '<port>'))
      .replaceAll(chosenAddress, (address) => this.#add(address, 'address'))
      .replaceAll(tokenId, (id) => this.#add(id, 'token', 'JTI='))
      .replaceAll(tokenVolume, (volume) => this.#add(volume, 'suffix', 'kube-api-access-'));
    for (const [value, placeholder] of this.#placeholders) replaced = replaced.replaceAll(value, placeholder);
    return replaced;
  }

  /** The number, or a placeholder when it is a node port the server chose, or a free port of this machine. */
  number(value: number, field: string): unknown {
    if (field === 'port' && value >= freePorts) return '<port>';
    const chosen =
      /^nodePort$|^healthCheckNodePort$/.test(field) && value >= chosenPorts.from && value <= chosenPorts.to;
    return chosen ? this.#add(String(value), 'port') : value;
  }

  #add(value: string, kind: string, prefix = ''): string {
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const start = `${prefix}<${kind}-`;
    const count = [...this.#placeholders.values()].filter((each) => each.startsWith(start)).length + 1;
    const placeholder = `${start}${count}>`;
    this.#placeholders.set(value, placeholder);
    return placeholder;
  }
}
