import { productName } from '../../product-name.ts'

/** The mark of the product: the first letter of its name. Decoration: the name stands beside it. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="#2f55d4" />
    <text x="16" y="22.5" textAnchor="middle" fontSize="18" fontWeight="700" fill="#fff">
      {Array.from(productName.trim())[0]?.toUpperCase()}
    </text>
  </svg>
)
