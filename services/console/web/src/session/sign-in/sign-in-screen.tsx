import { type ReactNode, useEffect } from 'react'
import { Logo } from './logo.tsx'
import styles from './sign-in.module.css'

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
