/**
 * Takes the secret of a portal link out of the address of the page, so that neither a bookmark nor a screenshot has it.
 * The tab remembers it until it is closed or the link has ended: a reload of the page needs it again.
 */
export function takeLinkSecret(linkId: string): string | undefined {
  const secret = location.hash.slice(1)
  if (secret === '') return readStored(linkId)
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    sessionStorage.setItem(keyOf(linkId), secret)
  } catch {
    // A frame of another site may be allowed no storage. The page then works until it is reloaded.
  }
  return secret
}

/** Forgets the secret of a link that has ended. */
export function forgetLinkSecret(linkId: string): void {
  try {
    sessionStorage.removeItem(keyOf(linkId))
  } catch {
    // as above
  }
}

function readStored(linkId: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(linkId)) ?? undefined
  } catch {
    return undefined
  }
}

const keyOf = (linkId: string): string => `portal.${linkId}`
