import { escapeHtml } from '../pages/html.ts'

/** What asks whether to accept; nothing happens before the button is pressed. */
export const askingPage = (workspaceName: string, role: string, token: string): string =>
  page(
    'Accept the invitation?',
    `<p>You are invited to the workspace <strong>${escapeHtml(workspaceName)}</strong>, as ${escapeHtml(role)}.</p>
<form method="post" action="/v1/auth/invitations/accept/confirm">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit">Accept</button>
</form>`,
  )

/** What says that it was accepted. */
export const acceptedPage = (workspaceName: string): string =>
  page(
    'You are in',
    `<p>You are now a member of <strong>${escapeHtml(workspaceName)}</strong>. Sign in with this mail address.</p>`,
  )

/** What says that a link opens nothing. */
export const endedPage = (): string =>
  page(
    'The invitation is not valid',
    '<p>It was accepted, was taken back, was renewed by a later mail, or is older than seven days. Ask to be invited again.</p>',
  )

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`
