// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { capabilitiesOn } from './acl.ts';
import { errors, logicalWith, logical, type FakeAnswer } from './answers.ts';
import { secondsOf } from './auth-routes.ts';
import type { Network } from './fake-openbao.ts';
import { stateOf, type Server } from './server.ts';
import type { JwtRole, Token } from './state.ts';

/** Reads of what authentication is set up with; undefined when the path is none of them. */
export function readAuth(server: Server, path: string, network: Network): FakeAnswer | undefined {
  const { jwt } = stateOf(server);
  const { random } = network;
  if (path === 'sys/auth') return authMounts(server, network);
  if (jwt === undefined) return undefined;
  if (path === 'auth/jwt/config') {
    const { config } = jwt;
    return config === undefined ? errors(404) : logical(random, { data: { ...emptyConfig, ...config } });
  }
  const [, name] = /^auth\/jwt\/role\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const role = jwt.roles[name];
  return role === undefined ? errors(404) : logical(random, { data: roleAsRead(role) });
}

/** `sys/capabilities-self`: what a token may do at these paths. */
export function capabilitiesOf(server: Server, token: Token, body: JsonObject, { random }: Network): FakeAnswer {
  const { policies } = stateOf(server);
  const paths = Array.isArray(body['paths']) ? body['paths'].map(String) : [];
  const held = paths.map((path) => [path, capabilitiesOn(token.policies, (name) => policies[name]?.text, path)]);
  const [only, ...others] = held;
  return logicalWith(random, {
    ...(only !== undefined && others.length === 0 && { capabilities: only[1] }),
    ...(Object.fromEntries(held) as JsonObject),
  });
}

function authMounts(server: Server, { random }: Network): FakeAnswer {
  const mount = (type: string, more: JsonObject) => ({
    accessor: `auth_${type}_0`,
    config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0, token_type: 'default-service' },
    external_entropy_access: false,
    local: false,
    plugin_version: '',
    running_plugin_version: `v${server.options.version}+builtin.bao`,
    running_sha256: '',
    seal_wrap: false,
    type,
    uuid: random.uuid(),
    ...more,
  });
  const jwt = mount('jwt', { deprecation_status: 'supported', description: '', options: {} });
  return logicalWith(random, {
    'token/': mount('token', { description: 'token based credentials', options: null }),
    ...(stateOf(server).jwt !== undefined && { 'jwt/': jwt }),
  });
}

const emptyConfig = {
  bound_issuer: '',
  default_role: '',
  jwks_ca_pem: '',
  jwks_url: '',
  jwt_supported_algs: [],
  jwt_validation_pubkeys: [],
  namespace_in_state: true,
  oidc_client_id: '',
  oidc_discovery_ca_pem: '',
  oidc_discovery_url: '',
  oidc_response_mode: '',
  oidc_response_types: [],
  override_allowed_server_names: [],
  provider_config: {},
  status: 'valid',
};

const emptyRole = {
  allowed_redirect_uris: null,
  bound_audiences: null,
  bound_claims: null,
  bound_claims_type: 'string',
  bound_subject: '',
  callback_mode: 'client',
  claim_mappings: null,
  clock_skew_leeway: 0,
  expiration_leeway: 0,
  groups_claim: '',
  max_age: 0,
  not_before_leeway: 0,
  oauth2_metadata: null,
  oidc_disable_confirmation: false,
  oidc_scopes: null,
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_max_ttl: 0,
  token_no_default_policy: false,
  token_num_uses: 0,
  token_period: 0,
  token_policies: [],
  token_policies_template_claims: false,
  token_strictly_bind_ip: false,
  token_type: 'default',
  user_claim_json_pointer: false,
  verbose_oidc_logging: false,
};

const roleAsRead = (role: JwtRole) => ({
  ...emptyRole,
  ...role,
  token_ttl: role.token_ttl === undefined ? 0 : secondsOf(role.token_ttl),
});
