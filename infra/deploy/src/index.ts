export { makeSecrets, type SecretOptions } from './make-secrets.ts'
