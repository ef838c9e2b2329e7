// SPDX-License-Identifier: Apache-2.0
import { addresses } from './addresses.ts';
import { authorizations } from './authorizations.ts';
import { conversions } from './conversions.ts';
import { namedFormats } from './formats.ts';
import { lists } from './lists.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regexes } from './regexes.ts';
import { semvers } from './semvers.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';

/** All functions of Kubernetes 1.36's CEL environment by name. */
export const functions = Map.groupBy(
  [
    ...operators,
    ...conversions,
    ...strings,
    ...lists,
    ...sets,
    ...optionals,
    ...times,
    ...regexes,
    ...urls,
    ...quantities,
    ...addresses,
    ...namedFormats,
    ...semvers,
    ...authorizations,
  ],
  ({ name }) => name,
);
