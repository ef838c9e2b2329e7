// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { layers } from './layers.ts';

const picture = /(?<=<!-- layers -->\n)[^]*?(?=<!-- end of layers -->)/;

/** The page with its pictures of packages and rooms redrawn. */
export function drawLayers(page: string): string {
  const { shipped = [], development = [] } = Object.groupBy(Object.entries(layers), ([, layer]) =>
    layer.development ? 'development' : 'shipped',
  );
  const width = Math.max(...Object.keys(layers).map((name) => name.length));
  const line = ([name, { description }]: (typeof shipped)[number]) => `${name.padEnd(width)}  ${description}`;
  const packages = [
    '```',
    ...shipped.map(line),
    '',
    'for development and tests; operators never import these:',
    ...development.map(line),
    '```',
  ];
  const rooms = Object.keys(layers).flatMap((name) => roomsOf(name));
  return page.replace(picture, `\n${[...packages, ...rooms].join('\n')}\n\n`);
}

/** The rooms of a package from top to bottom, each with the first sentence of its README. */
function roomsOf(layer: string): string[] {
  const rooms = (layers[layer]?.rooms ?? []).filter((room) => room !== '.');
  if (rooms.length === 0) return [];
  const width = Math.max(...rooms.map((room) => room.length));
  const lines = rooms.map((room) => {
    const text = readFileSync(`${layer}/${room}/README.md`, 'utf8')
      .replace(/^#.*\n+/, '')
      .replaceAll('\n', ' ');
    return `${room.padEnd(width)}  ${/^.*?\.(?= |$)/.exec(text)?.[0] ?? text}`;
  });
  return ['', `The rooms of \`${layer}\`:`, '', '```', ...lines, '```'];
}
