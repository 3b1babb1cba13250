/** How the server names itself in every answer of the extended form. */
export const PRODUCT = { type: 'continuo', version: '0.1.0' } as const;
