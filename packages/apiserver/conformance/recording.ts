// SPDX-License-Identifier: Apache-2.0
import { recordingsIn } from './recordings.ts';

/** The recordings of the cases of the API server. */
export const {
  fileOf: recordingFile,
  read: readRecording,
  write: writeRecording,
} = recordingsIn(new URL('./recorded/', import.meta.url));
