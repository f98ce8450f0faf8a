import { login } from './login.ts'
import { openLoginLink } from './open-login-link.ts'
import { githubCallback, googleCallback } from './provider-callback.ts'
import { loginWithGithub, loginWithGoogle } from './provider-login.ts'
import { showLoginLink } from './show-login-link.ts'
import { verify } from './verify.ts'

/** Operations of the sign-in. */
export const signIn = {
  login,
  verify,
  showLoginLink,
  openLoginLink,
  loginWithGoogle,
  googleCallback,
  loginWithGithub,
  githubCallback,
}
