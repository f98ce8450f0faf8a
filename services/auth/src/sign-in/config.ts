import { createOutbound, parseCidrs } from '@wp/outbound'
import { z } from 'zod'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An address of a provider: https, but on loopback. Without a slash at its end. */
const providerUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
  }, 'must be an https address')
  .transform((text) => text.replace(/\/+$/, ''))

/** Where a browser may be sent: https; http on loopback; a scheme of an application's own (RFC 8252 section 7.1). */
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

const smtpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol),
    'must be an address beginning with smtp:// or smtps://',
  )

/** What @wp/outbound reads by itself, refused here with the name of the variable. */
const cidrs = z.string().transform((text, context) => {
  try {
    return parseCidrs(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return z.NEVER
  }
})

/** What the service is told about signing people in; to be refined with `signInRules`. */
export const signInConfig = {
  /** Whether an address nobody knows may make itself an account and a workspace. */
  SIGNUP: z.enum(['open', 'closed']).default('open'),
  /** Where browsers may be sent on to after a sign-in: exactly these. */
  REDIRECT_URIS: redirectUris.default([]),
  /** Where mails are handed in, `smtp://user:password@host:587`. Without it none leave. */
  SMTP_URL: smtpUrl.optional(),
  /** Who mails come from. Default `no-reply@` the host of PUBLIC_BASE_URL. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must hold a mail address')
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: providerUrl.default('https://accounts.google.com'),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: providerUrl.default('https://github.com'),
  GITHUB_API_URL: providerUrl.default('https://api.github.com'),
  /** Networks of providers that are not public, for a provider of one's own. */
  OUTBOUND_ALLOW_CIDRS: cidrs.optional(),
  /** Authorities trusted beside the system's when providers are called. */
  OUTBOUND_CA_FILE: z.string().optional(),
}

const settings = z.object({ ...signInConfig, ENVIRONMENT: z.string() })
type Settings = z.output<typeof settings>

/** What the variables must be together; for `superRefine`. */
export function checkSignInConfig(value: Settings, context: z.core.$RefinementCtx): void {
  const addIssue = (name: keyof Settings, message: string) =>
    void context.addIssue({ code: 'custom', path: [name], message })
  if (value.ENVIRONMENT === 'production' && value.SMTP_URL === undefined)
    addIssue('SMTP_URL', 'production needs a mail server: people sign in by mail')
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
      addIssue(value[id] === undefined ? id : secret, `is needed beside ${value[id] === undefined ? secret : id}`)
  }
}
