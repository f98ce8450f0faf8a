import { getSession } from './get-session.ts'
import { login, logout } from './login.ts'
import type { SessionEndpoint } from './operation.ts'
import { startReauthentication, verifyReauthentication } from './reauthentication.ts'
import { startPasskeySignIn, startRecovery } from './start-passkey-sign-in.ts'
import { startCompanySignIn, startProviderSignIn } from './start-provider-sign-in.ts'
import { verify } from './verify.ts'

/** Every endpoint of the console's own API. */
export const sessionEndpoints: readonly SessionEndpoint[] = [
  getSession,
  login,
  verify,
  startProviderSignIn,
  startCompanySignIn,
  startPasskeySignIn,
  startRecovery,
  logout,
  startReauthentication,
  verifyReauthentication,
]
