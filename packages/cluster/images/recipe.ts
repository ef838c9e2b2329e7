// SPDX-License-Identifier: Apache-2.0

/** A user of an image, with the name /etc/passwd gives it. */
interface ImageUser {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

/** A file of ours in an image. */
export interface ImageFile {
  source: URL;
  mode: number;
}

/** A root folder made of Debian packages, their dependencies, and a few files of ours. */
export interface RootRecipe {
  name: string;
  packages: readonly string[];
  user?: ImageUser;
  directories?: readonly string[];
  files?: Readonly<Record<string, ImageFile>>;
}

/** A Python virtual environment mounted at `path`, made of the wheels that `locks/<name>.txt` locks for `requirements`. */
export interface VenvRecipe {
  name: string;
  path: string;
  requirements: readonly string[];
  files?: Readonly<Record<string, ImageFile>>;
}

/** How the image of a reference is made, and what its configuration says. */
export interface Recipe {
  /** `repository:tag`, where a final `*` stands for any rest. */
  references: readonly string[];
  root: RootRecipe;
  venv?: VenvRecipe;
  env: Readonly<Record<string, string>>;
  entrypoint: readonly string[];
  cmd: readonly string[];
}
