import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Logo } from './logo.tsx'
import styles from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'

/** The frame of the pages outside a workspace. */
export function SignInScreen({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Console`
  }, [title])
  return (
    <main className={styles.screen}>
      <div className={styles.panel}>
        <div className={styles.brand}>
          <Logo size={40} />
          <h1>{title}</h1>
        </div>
        <div className={styles.card}>{children}</div>
      </div>
    </main>
  )
}

/** The sign-in page. @param returnTo path within the console to open afterwards */
export function SignInPage({ returnTo }: { returnTo: string | undefined }) {
  const navigate = useNavigate()
  return (
    <SignInScreen title="Sign in">
      <SignInForm onSignedIn={() => navigate({ to: returnTo ?? '/', replace: true })} />
    </SignInScreen>
  )
}
