// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { SealType } from '../api/seals.ts';

type Blocks = Omit<Partial<OpenBaoCluster['spec']['unseal']>, 'type'>;

/** Every field of every seal, and the stanza that follows. */
export const completeSeals: Readonly<Record<SealType, { unseal: Blocks; stanza: string }>> = {
  static: {
    unseal: { static: { currentKey: 'env://KEY', currentKeyID: 'two' } },
    stanza: `seal "static" {
  current_key    = "env://KEY"
  current_key_id = "two"
}
`,
  },
  transit: {
    unseal: {
      transit: {
        address: 'https://other:8200',
        keyName: 'unseal',
        mountPath: 'transit/',
        namespace: 'ns',
        disableRenewal: true,
        tlsCACert: '/ca.crt',
        tlsClientCert: '/tls.crt',
        tlsClientKey: '/tls.key',
        tlsServerName: 'other',
        tlsSkipVerify: false,
      },
    },
    stanza: `seal "transit" {
  address         = "https://other:8200"
  key_name        = "unseal"
  mount_path      = "transit/"
  namespace       = "ns"
  disable_renewal = "true"
  tls_ca_cert     = "/ca.crt"
  tls_client_cert = "/tls.crt"
  tls_client_key  = "/tls.key"
  tls_server_name = "other"
  tls_skip_verify = "false"
}
`,
  },
  awskms: {
    unseal: { awskms: { region: 'eu-west-1', kmsKeyID: 'k', endpoint: 'https://kms' } },
    stanza: `seal "awskms" {
  region     = "eu-west-1"
  kms_key_id = "k"
  endpoint   = "https://kms"
}
`,
  },
  azurekeyvault: {
    unseal: {
      azureKeyVault: { vaultName: 'v', keyName: 'k', tenantID: 't', clientID: 'c', resource: 'r', environment: 'e' },
    },
    stanza: `seal "azurekeyvault" {
  vault_name  = "v"
  key_name    = "k"
  tenant_id   = "t"
  client_id   = "c"
  resource    = "r"
  environment = "e"
}
`,
  },
  gcpckms: {
    unseal: { gcpCloudKMS: { project: 'p', region: 'r', keyRing: 'ring', cryptoKey: 'k', credentials: '' } },
    stanza: `seal "gcpckms" {
  project    = "p"
  region     = "r"
  key_ring   = "ring"
  crypto_key = "k"
}
`,
  },
  kmip: {
    unseal: {
      kmip: {
        address: 'kmip:5696',
        kmsKeyID: 'k',
        certificate: '/tls.crt',
        key: '/tls.key',
        caCert: '/ca.crt',
        tlsServerName: 'kmip',
      },
    },
    stanza: `seal "kmip" {
  endpoint    = "kmip:5696"
  kms_key_id  = "k"
  client_cert = "/tls.crt"
  client_key  = "/tls.key"
  ca_cert     = "/ca.crt"
  server_name = "kmip"
}
`,
  },
  ocikms: {
    unseal: {
      ocikms: {
        keyID: 'k',
        cryptoEndpoint: 'https://crypto',
        managementEndpoint: 'https://manage',
        authType: 'user_principal',
        compartmentID: 'c',
      },
    },
    stanza: `seal "ocikms" {
  key_id              = "k"
  crypto_endpoint     = "https://crypto"
  management_endpoint = "https://manage"
  auth_type_api_key   = "true"
}
`,
  },
  pkcs11: {
    unseal: {
      pkcs11: {
        lib: '/lib.so',
        slot: '0',
        tokenLabel: 't',
        keyLabel: 'k',
        keyID: '1',
        mechanism: '0x1087',
        rsaOAEPHash: 'sha256',
        hmacKeyLabel: 'h',
        generateKey: true,
        rsaEncryptLocal: true,
      },
    },
    stanza: `seal "pkcs11" {
  lib           = "/lib.so"
  slot          = "0"
  token_label   = "t"
  key_label     = "k"
  key_id        = "1"
  mechanism     = "0x1087"
  rsa_oaep_hash = "sha256"
}
`,
  },
};
