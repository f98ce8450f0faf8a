import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { sessionQuery } from '../session.ts'
import { announceSignIn, verifyLogin } from '../session-requests.ts'
import styles from './sign-in.module.css'
import { SignInScreen } from './sign-in-screen.tsx'

/** Reasons for which a provider sends the browser back without a code. */
const reasons: Readonly<Record<string, string>> = {
  access_denied: 'You were not admitted: the provider refused, your access has ended, or no seat is free.',
  account_exists: 'This identity belongs to an account with another address.',
  email_unverified: 'The provider confirmed no mail address of your company.',
  provider_failed: 'The answer of the provider is not valid. Ask your administrator to test the connection.',
}

/**
 * Ends a sign-in by link or provider, which comes back to this page with a one-time code.
 * @param reason error of the provider, in place of a code
 */
export function SignInCallbackPage({
  loginCode,
  reason,
}: {
  loginCode: string | undefined
  reason: string | undefined
}) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>()
  const isStarted = useRef(false)
  useEffect(() => {
    if (loginCode === undefined || isStarted.current) return
    isStarted.current = true
    verifyLogin({ login_code: loginCode }).then(
      (session) => {
        queryClient.setQueryData(sessionQuery.queryKey, session)
        announceSignIn()
        return navigate({ to: '/', replace: true })
      },
      (failure: unknown) => setError(failure),
    )
  }, [loginCode, navigate, queryClient])
  if (loginCode !== undefined && error === undefined)
    return (
      <SignInScreen title="Signing in">
        <p className={styles.quiet} role="status">
          One moment…
        </p>
      </SignInScreen>
    )
  return (
    <SignInScreen title="Sign-in failed">
      <div className={styles.form}>
        {error !== undefined && <ErrorMessage error={error} />}
        {reason === undefined ? (
          <Callout tone="info">
            A link works once, within 10 minutes, and only in the browser where you asked for it. You can also enter the
            code of the mail.
          </Callout>
        ) : (
          <Callout tone="danger">{reasons[reason] ?? `The provider answered ${reason}.`}</Callout>
        )}
        <ButtonLink to="/sign-in" variant="primary">
          Sign in again
        </ButtonLink>
      </div>
    </SignInScreen>
  )
}
