import { startAuthorizationLogin, verifyAuthorizationLogin } from './authorization-login.ts'
import { authorize } from './authorize.ts'
import { decideAuthorization } from './decide-authorization.ts'
import { login } from './login.ts'
import { openLoginLink } from './open-login-link.ts'
import { githubCallback, googleCallback } from './provider-callback.ts'
import { loginWithGithub, loginWithGoogle } from './provider-login.ts'
import { registerClient } from './register-client.ts'
import { showLoginLink } from './show-login-link.ts'
import { startReauthentication } from './start-reauthentication.ts'
import { verify } from './verify.ts'
import { verifyReauthentication } from './verify-reauthentication.ts'

/** Operations of the sign-in and re-authentication, and of the authorization of clients. */
export const signIn = {
  login,
  verify,
  showLoginLink,
  openLoginLink,
  loginWithGoogle,
  googleCallback,
  loginWithGithub,
  githubCallback,
  registerClient,
  authorize,
  decideAuthorization,
  startAuthorizationLogin,
  verifyAuthorizationLogin,
  startReauthentication,
  verifyReauthentication,
}
