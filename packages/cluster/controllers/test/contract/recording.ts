// SPDX-License-Identifier: Apache-2.0
import { recordingsIn } from '@forge/apiserver/contract/recordings.ts';

/** The recordings of what the rows observed on a real cluster. */
export const {
  fileOf: recordingFile,
  read: readRecording,
  write: writeRecording,
} = recordingsIn(new URL('recorded/', import.meta.url));
