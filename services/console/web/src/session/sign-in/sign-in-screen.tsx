import { type ReactNode, useEffect } from 'react'
import { productName } from '../../product-name.ts'
import { Logo } from '../../ui/values/logo.tsx'
import styles from './sign-in.module.css'

/** The frame of the pages outside a workspace. */
export function SignInScreen({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title])
  return (
    <main className={styles.screen}>
      <div className={styles.panel}>
        <div className={styles.brand}>
          <Logo size={40} />
          <p className="secondary strong">{productName}</p>
          <h1>{title}</h1>
        </div>
        <div className={styles.card}>{children}</div>
      </div>
    </main>
  )
}
