import { ApiError } from '@wp/client/browser'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { getSession } from '../../api/console-request.ts'
import { Button } from '../../ui/button/button.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Callout } from '../../ui/message/message.tsx'
import { PasskeyButton, PasskeyError } from '../passkeys/passkey-button.tsx'
import { askForPasskey, canUsePasskeys, offerPasskeys } from '../passkeys/use-passkey.ts'
import type { Session } from '../session.ts'
import {
  type MailedCode,
  onSignInElsewhere,
  startCompanyLogin,
  startLogin,
  startPasskeyLogin,
  startProviderLogin,
  verifyLogin,
} from '../session-requests.ts'
import { CodeForm } from './code-form.tsx'
import { RecoveryPanel } from './recovery-panel.tsx'
import styles from './sign-in.module.css'

const providerNames: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' }

/** Signs in by a passkey, by a code of a mail, or with a provider. @param providers those that are configured */
export function SignInForm({
  email: knownEmail,
  company,
  providers,
  onMailed,
  onSignedIn,
}: {
  email?: string
  /** Domain of the company from whose applications the person came: the sign-in with it starts at once. */
  company?: string | undefined
  providers: readonly string[]
  onMailed?: () => void
  onSignedIn: (session: Session) => void
}) {
  const [email, setEmail] = useState(knownEmail ?? '')
  const [mailed, setMailed] = useState<MailedCode>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [refusedProof, setRefusedProof] = useState<{ login_id: string; code: string }>()

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const sendCode = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      setMailed(await startLogin(email.trim()))
      onMailed?.()
    })
  }
  const form = useRef<HTMLFormElement>(null)
  const signInWithCompany = (address: string) =>
    attempt(async () => location.assign((await startCompanyLogin(address)).location))
  const continueWithCompany = () => {
    if (form.current?.reportValidity() === true) void signInWithCompany(email.trim())
  }
  const startAtOnce = useRef(signInWithCompany)
  useEffect(() => {
    // The domain alone decides.
    if (company !== undefined) void startAtOnce.current(`sign-in@${company}`)
  }, [company])
  const verify = async (code: string, loginId: string) => {
    const proof = { login_id: loginId, code }
    try {
      onSignedIn(await verifyLogin(proof))
    } catch (failure) {
      if (!isPasskeyRequired(failure)) throw failure
      setRefusedProof(proof)
      setMailed(undefined)
    }
  }
  const signInWithPasskey = async () => {
    const { options } = await startPasskeyLogin()
    onSignedIn(await verifyLogin({ passkey: await askForPasskey(options) }))
  }
  usePasskeySuggestions(mailed === undefined, (passkey) =>
    attempt(async () => onSignedIn(await verifyLogin({ passkey }))),
  )
  useSignedInElsewhere(mailed !== undefined, onSignedIn)
  if (mailed)
    return (
      <div className={styles.form}>
        <CodeForm
          hint={`We sent a code and a link to ${email}. They expire in 10 minutes.`}
          submitLabel="Sign in"
          onVerify={(code) => verify(code, mailed.login_id)}
          onResend={async () => setMailed(await startLogin(email.trim()))}
        />
        <Button variant="quiet" onClick={() => setMailed(undefined)}>
          Use another address
        </Button>
      </div>
    )
  return (
    <div className={styles.form}>
      <form ref={form} className={styles.form} onSubmit={sendCode}>
        <Field label="Email">
          <Input
            type="email"
            name="email"
            autoComplete="email webauthn"
            required
            autoFocus
            placeholder="you@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Send a code
        </Button>
      </form>
      {refusedProof && <RecoveryPanel proof={refusedProof} />}
      <div className={styles.divider}>or</div>
      <PasskeyButton label="Sign in with a passkey" onUse={signInWithPasskey} />
      <Button onClick={continueWithCompany}>Continue with your company</Button>
      {providers.map((provider) => (
        <Button
          key={provider}
          onClick={() => attempt(async () => location.assign((await startProviderLogin(provider)).location))}
        >
          Continue with {providerNames[provider] ?? provider}
        </Button>
      ))}
      {isProviderMissing(error) ? (
        <Callout tone="info">No company has connected its sign-in for this address. Ask for a code instead.</Callout>
      ) : (
        error !== undefined && <PasskeyError error={error} />
      )}
    </div>
  )
}

const isProviderMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'provider_not_configured'

const isPasskeyRequired = (error: unknown): boolean => error instanceof ApiError && error.code === 'passkey_required'

/** Offers passkeys among the suggestions of the address field while it is shown. */
function usePasskeySuggestions(isShown: boolean, onChosen: (passkey: object) => void): void {
  const handler = useRef(onChosen)
  handler.current = onChosen
  useEffect(() => {
    if (!isShown || !canUsePasskeys()) return
    return offerPasskeys(
      async () => (await startPasskeyLogin()).options,
      (passkey) => handler.current(passkey),
    )
  }, [isShown])
}

/** Goes on when the link of the mail has signed this browser in, in another tab. */
function useSignedInElsewhere(isWaiting: boolean, onSignedIn: (session: Session) => void): void {
  const handler = useRef(onSignedIn)
  handler.current = onSignedIn
  useEffect(() => {
    if (!isWaiting) return
    let isCurrent = true
    const check = async () => {
      const session = await getSession<Session>().catch(() => undefined)
      if (isCurrent && session?.authenticated) handler.current(session)
    }
    // A link that opened in the background, or a tab that slept, is noticed when the person comes back.
    const onVisible = () => document.visibilityState === 'visible' && void check()
    document.addEventListener('visibilitychange', onVisible)
    const stop = onSignInElsewhere(() => void check())
    return () => {
      isCurrent = false
      document.removeEventListener('visibilitychange', onVisible)
      stop()
    }
  }, [isWaiting])
}
