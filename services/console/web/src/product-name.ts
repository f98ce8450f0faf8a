/** The name of the product, which the backend of the console writes into the page (`PRODUCT_NAME`). */
export const productName =
  document.querySelector('meta[name="product-name"]')?.getAttribute('content') ?? 'Workspace platform'
