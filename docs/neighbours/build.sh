#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds K-ORC, mariadb-operator and External Secrets from their Go modules: static programs into the folder `bin` of
# ~/.cache/forge/neighbours, and what they bring along to install into `manifests`. What is there in the right version is kept.
set -eu

cache=$HOME/.cache/forge/neighbours
sources=$(mktemp -d)
trap 'chmod -R u+w "$sources"; rm -rf "$sources"' EXIT

# Whether a program was built from this module.
is_built() {
  [ "$(cat "$cache/versions/$1" 2>/dev/null)" = "$2" ]
}

# Puts the source of a module into $source.
fetch() {
  source=$(go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",\{0,1\}$/\1/p')
}

# Builds a package of $source, with these of its manifests.
build() {
  name=$1 module=$2 package=$3
  shift 3
  echo "Building $module" >&2
  (cd "$source" && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$cache/bin/$name" "$package")
  for manifest; do
    echo ---
    cat "$source/$manifest"
  done >"$cache/manifests/$name.yaml"
  echo "$module" >"$cache/versions/$name"
}

mkdir -p "$cache/bin" "$cache/manifests" "$cache/versions"

korc=github.com/k-orc/openstack-resource-controller/v2@v2.6.0
if ! is_built korc $korc; then
  fetch $korc
  build korc $korc ./cmd/manager dist/install.yaml
fi

mariadb=github.com/mariadb-operator/mariadb-operator/v25@v25.10.4
if ! is_built mariadb-operator $mariadb; then
  fetch $mariadb
  build mariadb-operator $mariadb ./cmd/controller deploy/crds/crds.yaml config/rbac/role.yaml
fi

secrets=github.com/external-secrets/external-secrets
if ! is_built external-secrets $secrets@v0.20.4; then
  fetch $secrets@v0.20.4
  # Of some forty providers, only the one for OpenBao: the others are most of the work.
  cp -R "$source/." "$sources"
  chmod -R u+w "$sources"
  source=$sources
  printf 'package register\n\nimport _ "%s/pkg/provider/vault"\n' $secrets >"$sources/pkg/provider/register/register.go"
  echo 'package register' >"$sources/pkg/generator/register/register.go"
  build external-secrets $secrets@v0.20.4 . deploy/crds/bundle.yaml
fi
