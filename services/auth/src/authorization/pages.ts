import { scopes as allScopes, type HtmlPage, type Scope, scopeDescriptions } from '@wp/contracts'
import { type Html, hiddenFields, html, isolateDirection, renderPage } from '@wp/service'
import type { Client } from '../clients/client-metadata.ts'
import { isLoopbackHost } from '../clients/redirect-uri.ts'
import type { ProviderName } from '../providers/provider.ts'

const providerTitles: Readonly<Record<ProviderName, string>> = { google: 'Google', github: 'GitHub' }

/** The next page after one on which nothing can be decided. */
const consoleLink = { href: '/console/', label: 'Open the console' }

/** Returns the verified host of a client: the one that serves its metadata document. A registered client has none. */
const hostOf = ({ id }: Client): string | undefined => URL.parse(id)?.host

const nameOf = (client: Client): string =>
  client.name === '' ? (hostOf(client) ?? 'an application') : isolateDirection(client.name)

interface SignInPageOptions {
  client: Client
  /** The query of the authorization request. */
  authorization: string
  providers: readonly ProviderName[]
}

/** Asks a browser that is not signed in for a mail address, or offers the configured providers. */
export const signInPage = ({ client, authorization, providers }: SignInPageOptions): HtmlPage =>
  renderPage({
    title: 'Sign in',
    paragraphs: [
      `Sign in to decide whether ${nameOf(client)} (${hostOf(client) ?? 'host not verified'}) may use your workspace.`,
    ],
    content: html`${mailForm(authorization)}${providers.map(
      (name) =>
        html`<a class="button" href="/v1/auth/login/${name}?${String(new URLSearchParams({ authorization }))}">Continue with ${providerTitles[name]}</a>`,
    )}`,
  })

const mailForm = (authorization: string): Html => html`<form method="post" action="/v1/auth/authorize/login">
${hiddenFields({ authorization })}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" placeholder="you@example.com" required autofocus>
<button>Send a code</button>
</form>`

/** Asks for a valid mail address. */
export const invalidEmailPage = (authorization: string): HtmlPage =>
  renderPage({
    title: 'Sign in',
    status: 400,
    paragraphs: [],
    content: html`<p class="warning" role="alert">Enter a valid email address.</p>${mailForm(authorization)}`,
  })

interface CodePageOptions {
  authorization: string
  /** Set if the previous code was wrong. */
  hasFailed?: boolean
}

/** Asks for the code of the mail. Equal for every address, so that it does not reveal accounts. */
export const codePage = ({ authorization, hasFailed = false }: CodePageOptions): HtmlPage =>
  renderPage({
    title: 'Enter the code',
    ...(hasFailed ? { status: 400 } : {}),
    paragraphs: ['We have sent you a mail with a six-digit code. You can also open its link in this browser.'],
    content: html`${hasFailed ? html`<p class="warning" role="alert">The code is wrong, was already used or has expired.</p>` : ''}
<form method="post" action="/v1/auth/authorize/verify">
${hiddenFields({ authorization })}
<label for="code">Code</label>
<input id="code" class="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required autofocus>
<button>Sign in</button>
</form>
<p class="quiet">No mail? Look into the spam folder, or <a href="/v1/auth/authorize?${String(new URLSearchParams(authorization))}">start again</a>.</p>`,
  })

/** A workspace that a user can choose. */
export interface WorkspaceChoice {
  workspaceId: string
  name: string
}

interface ConsentPageOptions {
  client: Client
  redirectUri: string
  scopes: readonly Scope[]
  email: string
  workspaces: readonly WorkspaceChoice[]
  /** The sealed request. */
  consent: string
}

/** Asks the user whether a client may act for them: names the client, the workspace and what it may do. */
export function consentPage({ client, redirectUri, scopes, email, workspaces, consent }: ConsentPageOptions): HtmlPage {
  const { hostname, host, origin, protocol } = new URL(redirectUri)
  const isLocal = isLoopbackHost(hostname)
  const isApplication = protocol !== 'https:' && protocol !== 'http:'
  const destination = isLocal
    ? 'an application on this device'
    : isApplication
      ? `the application for ${protocol} links on this device`
      : host
  return renderPage({
    title: `Allow ${nameOf(client)} to use your workspace?`,
    paragraphs: [],
    // The client may redirect further, and browsers apply the directive to each redirect.
    redirectOrigins: [isApplication ? protocol : origin, 'https:'],
    content: html`<dl>
<dt>Application</dt><dd>${nameOf(client)} <span class="quiet">(name not verified)</span></dd>
<dt>Host</dt><dd>${hostOf(client) ?? 'unknown'} <span class="quiet">(${hostOf(client) === undefined ? 'not verified' : 'verified'})</span></dd>
<dt>Returns to</dt><dd>${destination}</dd>
<dt>Account</dt><dd>${email}</dd>
</dl>
${isLocal || isApplication ? html`<p class="warning">Continue only if you have just started this application yourself.</p>` : ''}
<form method="post" action="/v1/auth/authorize">
${hiddenFields({ consent })}
${workspaceField(workspaces)}
<h2>It will be able to, as far as your role permits</h2>
<ul>${describeScopes(scopes).map((description) => html`<li>${description}</li>`)}</ul>
<p class="quiet">The access ends when you end its session, or after 90 days.</p>
<div class="actions">
<button class="plain" name="decision" value="deny" formnovalidate>Deny</button>
<button name="decision" value="approve">Allow</button>
</div>
<p class="quiet">Not ${email}? <button class="link" name="decision" value="switch" formnovalidate>Use another account</button></p>
</form>`,
  })
}

function workspaceField(workspaces: readonly WorkspaceChoice[]): Html {
  const [only, another] = workspaces
  if (only !== undefined && another === undefined)
    return html`<h2>Workspace</h2><p>${isolateDirection(only.name)}</p>${hiddenFields({ workspace_id: only.workspaceId })}`
  const choices = workspaces.map(
    ({ workspaceId, name }) =>
      html`<label class="choice"><input type="radio" name="workspace_id" value="${workspaceId}" required><span>${isolateDirection(name)}</span></label>`,
  )
  return html`<fieldset><legend>In which workspace?</legend>${choices}</fieldset>`
}

/** The page for a request whose client or redirect URI cannot be trusted, so that nothing is sent there. */
export const rejectedClientPage = (reason: string): HtmlPage =>
  renderPage({
    title: 'This application cannot be authorized',
    status: 400,
    paragraphs: [reason, 'Tell its publisher. Nothing was sent to the application.'],
    next: consoleLink,
  })

/**
 * The page for a request with an error.
 * @param returnUrl the error response of the client, offered as a link; undefined for a browser that is not signed in
 */
export const rejectedRequestPage = (client: Client, description: string, returnUrl: string | undefined): HtmlPage =>
  renderPage({
    title: 'The request of this application is not valid',
    status: 400,
    paragraphs: [
      `${nameOf(client)} (${hostOf(client) ?? 'host not verified'}) sent a request with an error: ${description}.`,
    ],
    content:
      returnUrl === undefined
        ? html`<p class="quiet">Tell its publisher. Nothing was sent to the application.</p>`
        : html`<p><a href="${returnUrl}">Return to ${new URL(returnUrl).host || nameOf(client)}</a></p>`,
  })

export const noWorkspacePage = (email: string): HtmlPage =>
  renderPage({
    title: 'You have no workspace',
    status: 403,
    paragraphs: [`${email} is not a member of a workspace. Accept an invitation first, then start again.`],
    next: consoleLink,
  })

/** The page for a form that does not belong to this browser's session, or was left open for too long. */
export const expiredFormPage = (): HtmlPage =>
  renderPage({
    title: 'This page has expired',
    status: 403,
    paragraphs: ['Nothing was allowed. Go back to the application and start again.'],
    next: consoleLink,
  })

/** Returns what the scopes permit, in the order of the catalogue. */
const describeScopes = (granted: readonly Scope[]): string[] =>
  allScopes.filter((scope) => granted.includes(scope)).map((scope) => scopeDescriptions[scope])
