#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts MariaDB. On an empty volume it first makes the system tables, the root accounts and what MARIADB_DATABASE,
# MARIADB_USER and MARIADB_PASSWORD ask for, all in one run of the server that reads its SQL from stdin, so that no
# password is ever on a command line or in a file. A first start that was interrupted is done again from nothing.
set -eu

data=/var/lib/mysql
initializing=$data/.initializing

fail() {
  echo "entrypoint: $*" >&2
  exit 1
}

# Inside NO_BACKSLASH_ESCAPES a quote is all there is to escape.
text() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

name() {
  printf '`%s`' "$(printf %s "$1" | sed 's/`/``/g')"
}

system_tables() {
  printf '%s\n' 'CREATE DATABASE mysql;' 'USE mysql;' 'SET @auth_root_socket = NULL;'
  # Version 10 has the old name everywhere.
  product=mariadb
  [ -e /usr/share/mariadb/mariadb_system_tables.sql ] || product=mysql
  for part in ${product}_system_tables ${product}_performance_tables ${product}_system_tables_data maria_add_gis_sp_bootstrap ${product}_sys_schema; do
    cat "/usr/share/$product/$part.sql"
  done
}

accounts() {
  password=$(text "${MARIADB_ROOT_PASSWORD:-}")
  # The tables come with accounts of root without a password, for this host's name among others.
  printf '%s\n' \
    "DELETE FROM mysql.proxies_priv WHERE Host <> 'localhost';" \
    "DELETE FROM mysql.global_priv WHERE User = '' OR User = 'root' AND Host <> 'localhost';" \
    'FLUSH PRIVILEGES;' \
    "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES';" \
    "ALTER USER 'root'@'localhost' IDENTIFIED BY $password;" \
    "CREATE USER 'root'@'%' IDENTIFIED BY $password;" \
    "GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;"
  if [ -n "${MARIADB_DATABASE:-}" ]; then
    echo "CREATE DATABASE IF NOT EXISTS $(name "$MARIADB_DATABASE");"
  fi
  if [ -n "${MARIADB_USER:-}" ]; then
    echo "CREATE USER $(text "$MARIADB_USER")@'%' IDENTIFIED BY $(text "$MARIADB_PASSWORD");"
  fi
  if [ -n "${MARIADB_USER:-}" ] && [ -n "${MARIADB_DATABASE:-}" ]; then
    # In a grant, an underscore of the database's name would stand for any character.
    echo "GRANT ALL ON $(name "$MARIADB_DATABASE" | sed 's/[_%]/\\&/g').* TO $(text "$MARIADB_USER")@'%';"
  fi
}

initialize() {
  [ -n "${MARIADB_ROOT_PASSWORD:-}${MARIADB_ALLOW_EMPTY_ROOT_PASSWORD:-}" ] || fail 'the volume is empty, and MARIADB_ROOT_PASSWORD is not set: set it, so that root gets a password'
  [ -z "${MARIADB_USER:-}" ] || [ -n "${MARIADB_PASSWORD:-}" ] || fail 'MARIADB_USER is set, but MARIADB_PASSWORD is not'
  if [ -e "$initializing" ]; then
    echo 'entrypoint: the first start was interrupted, starting over'
    rm -rf "$data"/*
  fi
  : >"$initializing"
  echo 'entrypoint: making the system tables and accounts'
  sql=$(system_tables; accounts) # complete before the server sees a line of it
  printf '%s\n' "$sql" | "$@" --bootstrap --skip-networking --log-warnings=0
  sync
  rm "$initializing"
}

case "${1:-}" in
  -*) set -- mariadbd "$@" ;;
esac
case "${1:-}" in
  mariadbd | mysqld)
    if [ -e "$initializing" ] || [ ! -d "$data/mysql" ]; then initialize "$@"; fi
    ;;
esac
# The server needs no passwords, and its environment can be read by others in the pod.
unset MARIADB_ROOT_PASSWORD MARIADB_PASSWORD
exec "$@"
