import styles from './message.module.css'

/** A bar in place of text that is being loaded. @param width as CSS */
export const Skeleton = ({ width = '100%', height }: { width?: string; height?: string }) => (
  <span className={styles.skeleton} style={{ width, ...(height && { height }) }} aria-hidden="true" />
)
