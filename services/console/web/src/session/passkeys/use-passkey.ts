import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

const loadLibrary = () => import('@simplewebauthn/browser')

/** Returns true if this browser has passkeys at this address. They are bound to a host name, never to an IP address. */
export const canUsePasskeys = (): boolean =>
  window.PublicKeyCredential !== undefined && !/^[\d.]+$|^\[/.test(location.hostname)

/** Asks the person for one of their passkeys. @throws Error of the browser; see `describePasskeyError` */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await loadLibrary()
  return await startAuthentication({ optionsJSON: options })
}

/** Creates a passkey. @throws Error of the browser; see `describePasskeyError` */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await loadLibrary()
  return await startRegistration({ optionsJSON: options })
}

/** A challenge of five minutes is replaced before it ends. */
const renewAfterMs = 240_000

/**
 * Offers passkeys among the suggestions of the address field, where the browser can. Stops when another question for a
 * passkey begins. @returns a function that stops it
 */
export function offerPasskeys(
  start: () => Promise<PublicKeyCredentialRequestOptionsJSON>,
  onChosen: (passkey: AuthenticationResponseJSON) => void,
): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setInterval> | undefined
  const offer = async () => {
    const { startAuthentication } = await loadLibrary()
    const optionsJSON = await start()
    if (isStopped) return
    // The page has the field; the library looks for it before React has shown it.
    onChosen(await startAuthentication({ optionsJSON, useBrowserAutofill: true, verifyBrowserAutofillInput: false }))
  }
  // Whatever fails here, the other ways to sign in are on the page.
  const offerQuietly = () => void offer().catch(() => {})
  const begin = async () => {
    const { browserSupportsWebAuthnAutofill } = await loadLibrary()
    if (!(await browserSupportsWebAuthnAutofill()) || isStopped) return
    offerQuietly()
    timer = setInterval(offerQuietly, renewAfterMs)
  }
  void begin().catch(() => {})
  return () => {
    isStopped = true
    clearInterval(timer)
    void loadLibrary().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
  }
}
