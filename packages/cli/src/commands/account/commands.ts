import { buildCommand } from '@stricli/core'
import { connectionFlags, switchFlag, textFlag } from '../../flag-types.ts'
import { outputFlags } from '../../output/flags.ts'

export const login = buildCommand({
  loader: async () => (await import('./login.ts')).login,
  parameters: {
    flags: {
      email: textFlag('address', 'Send the code to this address'),
      web: switchFlag('Sign in with a browser on this machine'),
      withKey: switchFlag('Read an API key from standard input and store it'),
      baseUrl: textFlag('url', 'Address of the platform (default: WP_BASE_URL, or that of the last sign-in)'),
      ...connectionFlags,
    },
  },
  docs: {
    brief: 'Sign in with a mail code, a browser or an API key',
    fullDescription:
      'Signs in and stores the credential in the keyring of the operating system or, without one, in ' +
      'wp/credentials.json of $XDG_CONFIG_HOME, which only you can read.\n' +
      'A session of --web has no permission to manage keys and members; sign in with a mail code for these.',
  },
})

export const logout = buildCommand({
  loader: async () => (await import('./logout.ts')).logout,
  parameters: {},
  docs: { brief: 'End the session and remove the stored credential' },
})

export const whoami = buildCommand({
  loader: async () => (await import('./whoami.ts')).whoami,
  parameters: { flags: outputFlags },
  docs: { brief: 'Show who is signed in, where, and with which scopes' },
})
