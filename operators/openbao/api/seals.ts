// SPDX-License-Identifier: Apache-2.0

/** A field of a seal's block, and the attribute of the `seal` stanza that it becomes. */
export interface SealField {
  readonly description: string;
  /** The attribute of the stanza; without one the server has none, and the field is accepted but not written. */
  readonly attribute?: string;
  readonly required?: true;
  /** Default: text. Booleans are quoted in a seal stanza. */
  readonly type?: 'bool';
  readonly values?: readonly string[];
  readonly default?: string;
  /** The attribute's value where it is not that of the field. */
  readonly write?: (value: string) => string;
  /** It would be readable in etcd and in the ConfigMap: refused, with `credentialsSecretRef` as the remedy. */
  readonly credential?: string;
}

/** A seal: the block of the spec that configures it, and its fields in the order of the stanza. */
export interface Seal {
  readonly block: SealBlock;
  readonly description: string;
  readonly fields: Readonly<Record<string, SealField>>;
}

export const sealTypes = [
  'static',
  'awskms',
  'gcpckms',
  'azurekeyvault',
  'transit',
  'kmip',
  'ocikms',
  'pkcs11',
] as const;
export type SealType = (typeof sealTypes)[number];

/** The first version that has only these seals built in; the others are plugins of the type kms there. */
export const withoutOtherSeals = '2.7.0-0';
export const builtInSeals: ReadonlySet<SealType> = new Set(['static', 'transit', 'kmip']);

/** The name of the block that configures a seal. */
export type SealBlock = Exclude<SealType, 'azurekeyvault' | 'gcpckms'> | 'azureKeyVault' | 'gcpCloudKMS';

/** Where the pod finds the key of the static seal. */
const staticKeyFile = '/etc/bao/unseal/key';
export const defaultKeyID = 'operator-generated-v1';

const ignored = 'Accepted, and ignored: the server has no such setting.';

/** Every seal that unseals by itself, with the attributes that the server knows. */
export const seals: Readonly<Record<SealType, Seal>> = {
  static: {
    block: 'static',
    description: 'A key in a Secret, which the operator makes and mounts into the pods.',
    fields: {
      currentKey: {
        attribute: 'current_key',
        description: 'Where the key is: a URL with the scheme file or env; the key itself must not be written here.',
        default: `file://${staticKeyFile}`,
      },
      currentKeyID: {
        attribute: 'current_key_id',
        description: 'Name of the key in the stored data. It cannot be changed once the cluster is initialised.',
        default: defaultKeyID,
      },
    },
  },
  transit: {
    block: 'transit',
    description: 'The transit engine of another OpenBao.',
    fields: {
      address: { attribute: 'address', required: true, description: 'URL of the other OpenBao.' },
      token: { credential: 'token', description: 'Token for the other OpenBao.' },
      keyName: { attribute: 'key_name', required: true, description: 'Name of the key in the transit engine.' },
      mountPath: {
        attribute: 'mount_path',
        required: true,
        description: 'Path of the transit engine, for example transit/.',
      },
      namespace: { attribute: 'namespace', description: 'Namespace of the transit engine in the other OpenBao.' },
      disableRenewal: {
        attribute: 'disable_renewal',
        type: 'bool',
        description: 'Whether the token is left to expire.',
      },
      tlsCACert: { attribute: 'tls_ca_cert', description: 'Path in the pod of the CA certificate to trust.' },
      tlsClientCert: { attribute: 'tls_client_cert', description: 'Path in the pod of a client certificate.' },
      tlsClientKey: { attribute: 'tls_client_key', description: 'Path in the pod of its private key.' },
      tlsServerName: {
        attribute: 'tls_server_name',
        description: 'Name that the certificate of the other OpenBao must have.',
      },
      tlsSkipVerify: {
        attribute: 'tls_skip_verify',
        type: 'bool',
        description: 'Whether any certificate is accepted.',
      },
    },
  },
  awskms: {
    block: 'awskms',
    description: 'AWS Key Management Service.',
    fields: {
      region: { attribute: 'region', required: true, description: 'Region of the key.' },
      kmsKeyID: { attribute: 'kms_key_id', required: true, description: 'ID or ARN of the key.' },
      endpoint: { attribute: 'endpoint', description: 'URL of the service, where it is not that of AWS.' },
      accessKey: { credential: 'AWS_ACCESS_KEY_ID', description: 'Access key.' },
      secretKey: { credential: 'AWS_SECRET_ACCESS_KEY', description: 'Secret of the access key.' },
      sessionToken: { credential: 'AWS_SESSION_TOKEN', description: 'Session token of the access key.' },
    },
  },
  azurekeyvault: {
    block: 'azureKeyVault',
    description: 'Azure Key Vault.',
    fields: {
      vaultName: { attribute: 'vault_name', required: true, description: 'Name of the vault.' },
      keyName: { attribute: 'key_name', required: true, description: 'Name of the key in the vault.' },
      tenantID: { attribute: 'tenant_id', description: 'ID of the tenant.' },
      clientID: { attribute: 'client_id', description: 'ID of the application that uses the vault.' },
      clientSecret: { credential: 'AZURE_CLIENT_SECRET', description: 'Secret of that application.' },
      resource: { attribute: 'resource', description: 'DNS suffix of the vault, where it is not vault.azure.net.' },
      environment: {
        attribute: 'environment',
        description: 'Name of the Azure cloud, where it is not the public one.',
      },
    },
  },
  gcpckms: {
    block: 'gcpCloudKMS',
    description: 'Google Cloud KMS.',
    fields: {
      project: { attribute: 'project', required: true, description: 'Project of the key ring.' },
      region: { attribute: 'region', required: true, description: 'Location of the key ring.' },
      keyRing: { attribute: 'key_ring', required: true, description: 'Name of the key ring.' },
      cryptoKey: { attribute: 'crypto_key', required: true, description: 'Name of the key.' },
      credentials: {
        attribute: 'credentials',
        description: 'Path in the pod of the service account file; that of credentialsSecretRef when absent.',
      },
    },
  },
  kmip: {
    block: 'kmip',
    description: 'A server that speaks KMIP.',
    fields: {
      address: { attribute: 'endpoint', required: true, description: 'Host and port of the server.' },
      kmsKeyID: { attribute: 'kms_key_id', required: true, description: 'ID of the key on the server.' },
      certificate: {
        attribute: 'client_cert',
        required: true,
        description: 'Path in the pod of the client certificate.',
      },
      key: { attribute: 'client_key', required: true, description: 'Path in the pod of its private key.' },
      caCert: { attribute: 'ca_cert', description: 'Path in the pod of the CA certificate to trust.' },
      tlsServerName: { attribute: 'server_name', description: 'Name that the certificate of the server must have.' },
    },
  },
  ocikms: {
    block: 'ocikms',
    description: 'Oracle Cloud Infrastructure Vault.',
    fields: {
      keyID: { attribute: 'key_id', required: true, description: 'OCID of the key.' },
      cryptoEndpoint: {
        attribute: 'crypto_endpoint',
        required: true,
        description: 'Cryptographic endpoint of the vault.',
      },
      managementEndpoint: {
        attribute: 'management_endpoint',
        required: true,
        description: 'Management endpoint of the vault.',
      },
      authType: {
        attribute: 'auth_type_api_key',
        description:
          'How the pods log in: instance_principal by the instance they run on, user_principal by an API key.',
        values: ['instance_principal', 'user_principal'],
        write: (type) => String(type === 'user_principal'),
      },
      compartmentID: { description: `OCID of the compartment. ${ignored}` },
    },
  },
  pkcs11: {
    block: 'pkcs11',
    description: 'A hardware security module, through its PKCS #11 library; needs an image that has the library.',
    fields: {
      lib: { attribute: 'lib', required: true, description: 'Path in the pod of the PKCS #11 library.' },
      slot: { attribute: 'slot', description: 'Number of the slot; slot or tokenLabel is required.' },
      tokenLabel: { attribute: 'token_label', description: 'Label of the token; slot or tokenLabel is required.' },
      pin: { credential: 'BAO_HSM_PIN', description: 'PIN of the token.' },
      keyLabel: { attribute: 'key_label', required: true, description: 'Label of the key.' },
      keyID: { attribute: 'key_id', description: 'ID of the key.' },
      mechanism: { attribute: 'mechanism', description: 'Mechanism to encrypt with, for example 0x1087.' },
      rsaOAEPHash: {
        attribute: 'rsa_oaep_hash',
        description: 'Hash of RSA OAEP.',
        values: ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'],
      },
      hmacKeyLabel: { description: `Label of the HMAC key. ${ignored}` },
      generateKey: { type: 'bool', description: `Whether a missing key is generated. ${ignored}` },
      rsaEncryptLocal: { type: 'bool', description: `Whether RSA encrypts in software. ${ignored}` },
    },
  },
};
