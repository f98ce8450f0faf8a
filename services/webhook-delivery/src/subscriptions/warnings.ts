import type { Subscription } from '#db'

/** Shorter secrets can be guessed. */
const minSecretLength = 16

/** Returns the warnings that apply to a subscription at any time. */
export const standingWarnings = ({
  delivery,
  secretSealed,
}: Pick<Subscription, 'delivery' | 'secretSealed'>): string[] =>
  secretSealed === null && delivery === 'push'
    ? [
        'The subscription has no secret, so its deliveries are not signed; set `secret` or call rotate-secret, which ' +
          'generates one',
      ]
    : []

/** Returns a warning about a secret that a request sets. */
export const secretWarnings = (secret: string | null | undefined): string[] =>
  typeof secret === 'string' && secret.length < minSecretLength
    ? [`\`secret\` has fewer than ${minSecretLength} characters and can be guessed; set a longer one`]
    : []
