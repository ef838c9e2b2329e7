// SPDX-License-Identifier: Apache-2.0
import { layers } from './layers/layers.ts';
import { subjectOf } from './layers/subject.ts';
import { markdownTable } from './markdown-table.ts';

const picture = /(?<=<!-- layers -->\n)[^]*?(?=<!-- end of layers -->)/;

/** The page with its picture of the packages redrawn. */
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
  return page.replace(picture, `\n${packages.join('\n')}\n\n`);
}

/** The page of all rooms, package by package. */
export function roomsPage(): string {
  const parts = [
    '# Rooms',
    'A package consists of rooms; a room is a folder with one subject. A room imports only from rooms below it in the table of ' +
      'its package, which `npm run layers` checks. The text of a room is the first sentence of its README. ' +
      '[Design](../design.md#layers) shows how the packages import each other.',
    ...Object.keys(layers).flatMap(roomsOf),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The rooms of a package from top to bottom, each with the first sentence of its README. */
function roomsOf(layer: string): string[] {
  const rooms = (layers[layer]?.rooms ?? []).filter((room) => room !== '.');
  if (rooms.length === 0) return [];
  const rows = rooms.map((room) => [`[\`${room}\`](../../${layer}/${room}/README.md)`, subjectOf(`${layer}/${room}`)]);
  return [`## ${layer}`, markdownTable(['room', 'subject'], rows)];
}
