const OFF = 'continuo-keys-off';

/** Whether single keys run actions: who dictates or presses keys by accident turns them off. */
export const areKeysOn = (): boolean => localStorage.getItem(OFF) === null;

/** Turns single keys on or off in this browser. */
export const setKeysOn = (isOn: boolean): void => (isOn ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '1'));
