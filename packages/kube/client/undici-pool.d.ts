// SPDX-License-Identifier: Apache-2.0

// The one part of undici we need; all of it takes twice the memory and time to load.
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
