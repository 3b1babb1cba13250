/** In the names of everything in the catalog that nobody of the campaign sees: may stand in no answer at all. */
export const HIDDEN_CANARY = 'Zyxhidden';
/** In what the onlooker keeps for itself: may stand in no answer to anybody below an administrator. */
export const PRIVATE_CANARY = 'Zyxprivate';
/** In the password of the onlooker: may stand in no answer at all. (Its key is shown to administrators, as the native API wants it.) */
export const SECRET_CANARY = 'Zyxsecret';
