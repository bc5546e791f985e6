//! What CUDA finds on this machine.

use std::ffi::CStr;

use cudarc::driver::sys::{self, CUdevice_attribute};
use vortice_core::{Error, Result};

use super::error::check;
use crate::driver::Properties;

/// The oldest driver that is used, as CUDA writes versions: 1000 major + 10 minor.
const OLDEST_DRIVER: u32 = 13_000;

/// The CUDA version of the driver, major and minor.
///
/// # Errors
/// One sentence if there is none.
#[allow(unsafe_code)]
pub(crate) fn driver_version() -> Result<[u32; 2]> {
    // SAFETY: loading the driver's library runs its initialisers, which ask nothing of us.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Device {
            problem: "there is no CUDA driver on this machine (libcuda.so.1)".into(),
            remedy: "install NVIDIA's driver 580 or newer, or use the processor: `--device cpu`"
                .into(),
        });
    }
    let mut version = 0;
    // SAFETY: the library is there; a number is written to a local.
    check(unsafe { sys::cuDriverGetVersion(&mut version) }, "asking for the driver's version")?;
    let version = version.unsigned_abs();
    Ok([version / 1000, version % 1000 / 10])
}

/// Starts CUDA's driver if it is new enough.
#[allow(unsafe_code)]
fn start() -> Result<()> {
    let version = driver_version()?;
    new_enough(version)?;
    // SAFETY: the library is there; starting it twice does no harm.
    check(unsafe { sys::cuInit(0) }, "starting CUDA")
}

fn new_enough([major, minor]: [u32; 2]) -> Result<()> {
    if 1000 * major + 10 * minor >= OLDEST_DRIVER {
        return Ok(());
    }
    Err(Error::Device {
        problem: format!("the NVIDIA driver is made for CUDA {major}.{minor}; 13.0 is needed"),
        remedy: "install NVIDIA's driver 580 or newer, or use the processor: `--device cpu`".into(),
    })
}

/// Number of GPUs; at least one.
///
/// # Errors
/// One sentence if there is no driver, an old one, or no GPU.
#[allow(unsafe_code)]
pub(crate) fn count() -> Result<usize> {
    start()?;
    let mut count = 0;
    // SAFETY: CUDA is started; a number is written to a local.
    check(unsafe { sys::cuDeviceGetCount(&mut count) }, "counting GPUs")?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Error::Device {
            problem: "CUDA finds no GPU".into(),
            remedy: "`nvidia-smi` must list one, and CUDA_VISIBLE_DEVICES not hide it; or use \
                     `--device cpu`"
                .into(),
        }),
    }
}

/// A GPU that is there.
pub(crate) struct Device(pub(super) sys::CUdevice);

impl Device {
    /// The GPU of a number, counted from 0.
    #[allow(unsafe_code)]
    pub(crate) fn find(number: usize) -> Result<Self> {
        let count = count()?;
        let wanted = i32::try_from(number).ok().filter(|_| number < count);
        let wanted = wanted.ok_or_else(|| no_such_gpu(number, count))?;
        let mut device = 0;
        // SAFETY: CUDA is started; a number is written to a local.
        check(unsafe { sys::cuDeviceGet(&mut device, wanted) }, "asking for a GPU")?;
        Ok(Self(device))
    }

    pub(crate) fn properties(&self) -> Result<Properties> {
        use CUdevice_attribute as A;
        let ask = |attribute| self.attribute(attribute);
        Ok(Properties {
            name: self.name()?,
            memory: self.memory()?,
            multiprocessors: ask(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as usize,
            shared_memory: ask(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as usize,
            threads: ask(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)? as usize,
            architecture: [
                ask(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                ask(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ],
            cooperative: ask(A::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)? != 0,
            nominal_bandwidth: nominal_bandwidth(
                // Not knowing them is no reason to refuse a GPU.
                ask(A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).unwrap_or(0),
                ask(A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH).unwrap_or(0),
            ),
            ecc: ask(A::CU_DEVICE_ATTRIBUTE_ECC_ENABLED)? != 0,
        })
    }

    #[allow(unsafe_code)]
    fn attribute(&self, attribute: CUdevice_attribute) -> Result<u32> {
        let mut value = 0;
        // SAFETY: the device exists; a number is written to a local.
        let code = unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, self.0) };
        check(code, "asking what the GPU can do")?;
        Ok(value.unsigned_abs())
    }

    #[allow(unsafe_code)]
    fn memory(&self) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: the device exists; a number is written to a local.
        check(unsafe { sys::cuDeviceTotalMem_v2(&mut bytes, self.0) }, "asking for the memory")?;
        Ok(bytes)
    }

    #[allow(unsafe_code)]
    fn name(&self) -> Result<String> {
        let mut name = [0u8; 128];
        // SAFETY: the device exists; the name has 128 places, one of them for the closing zero.
        let code = unsafe { sys::cuDeviceGetName(name.as_mut_ptr().cast(), 128, self.0) };
        check(code, "asking for the GPU's name")?;
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
        Ok(name.to_string_lossy().into_owned())
    }
}

/// Bytes per second of a memory with a clock in kHz and a width in bits, which moves two values in
/// each cycle; nothing if one of them is not known.
fn nominal_bandwidth(kilohertz: u32, bits: u32) -> Option<f64> {
    let bandwidth = 2.0 * 1e3 * f64::from(kilohertz) * f64::from(bits) / 8.0;
    Some(bandwidth).filter(|bandwidth| *bandwidth > 0.0)
}

/// The error for a number beyond the last GPU.
pub(crate) fn no_such_gpu(number: usize, count: usize) -> Error {
    let (there, last) = match count {
        1 => ("is 1 GPU".to_owned(), "`cuda:0`".to_owned()),
        _ => (format!("are {count} GPUs"), format!("`cuda:0` to `cuda:{}`", count - 1)),
    };
    Error::Device {
        problem: format!("there is no GPU {number}: there {there}, counted from 0"),
        remedy: format!("use {last}; `vortice devices` lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nominal_bandwidth_follows_from_clock_and_width() {
        // An H100 has 5120 bits at 2619 MHz: 3.35 TB/s in its data sheet.
        assert_eq!(nominal_bandwidth(2_619_000, 5120), Some(3.352_32e12));
        assert_eq!(nominal_bandwidth(0, 5120), None);
        assert_eq!(nominal_bandwidth(2_619_000, 0), None);
    }

    #[test]
    fn an_old_driver_is_refused() {
        let error = new_enough([12, 8]).unwrap_err();
        assert!(error.to_string().contains("CUDA 12.8; 13.0 is needed"), "{error}");
        assert!(error.remedy().contains("580"));
        assert!(new_enough([13, 0]).is_ok() && new_enough([14, 1]).is_ok());
    }

    #[test]
    fn a_number_beyond_the_last_gpu_is_refused() {
        let error = no_such_gpu(2, 2);
        assert!(error.to_string().contains("GPU 2") && error.remedy().contains("cuda:1"));
        assert!(no_such_gpu(4, 1).to_string().contains("there is 1 GPU"));
    }
}
