import { mailConfig } from '@wp/mail'
import { createOutbound, parseCidrs } from '@wp/outbound'
import { z } from 'zod'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A provider URL: https, or http on loopback; without trailing slashes. */
const providerUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
  }, 'must be an https address')
  .transform((text) => text.replace(/\/+$/, ''))

/** Accepts a redirect URI: https, http on loopback, or an application's custom scheme (RFC 8252 section 7.1). */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  if (protocol === 'http:') return loopback.has(hostname)
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
}

const redirectUris = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((uri) => uri.trim())
      .filter((uri) => uri !== ''),
  )
  .refine((uris) => uris.every(isRedirectUri), 'must be https addresses without a fragment, separated by commas')

/** CIDRs for @wp/outbound, validated here so that the error names the variable. */
const cidrs = z.string().transform((text, context) => {
  try {
    return parseCidrs(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return z.NEVER
  }
})

/** Environment variables of the sign-in; refine the object with `checkSignInConfig`. */
export const signInConfig = {
  /**
   * Sign-up policy: `open` lets an unknown address create an account with a workspace, `closed` requires an invitation.
   */
  SIGNUP: z.enum(['open', 'closed']).default('open'),
  /**
   * Allowed redirect URIs, matched exactly. Default: the start page, `<PUBLIC_BASE_URL>/`. The page of the console that
   * a sign-in comes back to is always allowed.
   */
  REDIRECT_URIS: redirectUris.default([]),
  ...mailConfig,
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: providerUrl.default('https://accounts.google.com'),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: providerUrl.default('https://github.com'),
  GITHUB_API_URL: providerUrl.default('https://api.github.com'),
  /** Private networks that provider calls may reach, for a self-hosted provider. */
  OUTBOUND_ALLOW_CIDRS: cidrs.optional(),
  /** Networks that auth must not call, such as the operator's ingress: strangers choose metadata documents. */
  OUTBOUND_DENY_CIDRS: cidrs.optional(),
  /** PEM file of certificate authorities trusted in addition to the system's for provider calls. */
  OUTBOUND_CA_FILE: z.string().optional(),
}

const settings = z.object({ ...signInConfig, ENVIRONMENT: z.string() })
type Settings = z.output<typeof settings>

/** Checks the rules between variables; for `superRefine`. */
export function checkSignInConfig(value: Settings, context: z.core.$RefinementCtx): void {
  const addIssue = (name: keyof Settings, message: string) =>
    void context.addIssue({ code: 'custom', path: [name], message })
  if (value.ENVIRONMENT === 'production' && value.SMTP_URL === undefined)
    addIssue('SMTP_URL', 'production needs a mail server: users sign in by mail')
  try {
    createOutbound({
      allowCidrs: value.OUTBOUND_ALLOW_CIDRS ?? [],
      production: value.ENVIRONMENT === 'production',
    }).close()
  } catch (error) {
    addIssue('OUTBOUND_ALLOW_CIDRS', error instanceof Error ? error.message : String(error))
  }
  for (const provider of ['GOOGLE', 'GITHUB'] as const) {
    const [id, secret] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`] as const
    if ((value[id] === undefined) !== (value[secret] === undefined))
      addIssue(
        value[id] === undefined ? id : secret,
        `is required together with ${value[id] === undefined ? secret : id}`,
      )
  }
}
