import { Gauge, type GaugeConfiguration } from 'prom-client';

/** Adds a gauge that is read whenever somebody asks. */
export const registerGauge = <T extends string = never>(configuration: GaugeConfiguration<T>): Gauge<T> => new Gauge<T>(configuration);
