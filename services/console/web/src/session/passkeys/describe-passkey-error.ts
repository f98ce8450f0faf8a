import { ApiError } from '@wp/client/browser'

const wrongAddress =
  'Passkeys do not work at this address of the console. Open it at the address that mails name; on this computer, at localhost.'

/** The errors of browsers and of their library, by code and name, in words. */
const words: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: the question was cancelled or took too long. Try again.',
  AbortError: 'No passkey was used: the question was cancelled. Try again.',
  ERROR_CEREMONY_ABORTED: 'No passkey was used: the question was cancelled. Try again.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account.',
  InvalidStateError: 'This device already has a passkey for your account.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This security key cannot store passkeys. Use another one.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This security key cannot check that it is you. Set a PIN on it, or use another one.',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'This security key is too old. Use another one.',
  ERROR_INVALID_DOMAIN: wrongAddress,
  ERROR_INVALID_RP_ID: wrongAddress,
  SecurityError: wrongAddress,
}

/** Returns the words for an error of a passkey; undefined for one that has its own, such as a lost connection. */
export function describePasskeyError(error: unknown): string | undefined {
  if (error instanceof ApiError)
    return error.code === 'invalid_login'
      ? 'This passkey was not accepted. It may have been removed from your account, or the page was open for too long. Try again, or use a code.'
      : undefined
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return words[code] ?? words[error.name]
}
