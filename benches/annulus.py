"""Steady convection between a warm cylinder and a cold one around it, by collocation: polynomials across the gap, waves around it,
Newton's method. Prints points across and around, Rayleigh number, iterations, and the equivalent conductivity of the inner and the
outer cylinder. Needs numpy. The table heated-cylinder-ra1e4-nusselt is of

    python3 benches/annulus.py 18 36 1000 3000 6000 10000
"""
import numpy as np, sys
def cheb(n):
    x=np.cos(np.pi*np.arange(n+1)/n); c=np.ones(n+1); c[0]=c[-1]=2; c*=(-1)**np.arange(n+1)
    X=np.tile(x,(n+1,1)).T; D=np.outer(c,1/c)/(X-X.T+np.eye(n+1)); D-=np.diag(D.sum(1)); return D,x
def four(m):
    h=2*np.pi/m; j=np.arange(m); d=j[:,None]-j[None,:]
    with np.errstate(all='ignore'):
        D=np.where(d==0,0,0.5*(-1.0)**d/np.tan(d*h/2))
    return D,h*j
def run(nr,mt,Ras,Pr=0.7):
    ri,ro=0.625,1.625
    D,x=cheb(nr); r=ri+(ro-ri)*(x+1)/2; D=D*2/(ro-ri)
    Dt,t=four(mt); n=nr+1
    I=np.eye
    Dr=np.kron(D,I(mt)); Dth=np.kron(I(n),Dt); R=np.repeat(r,mt); th=np.tile(t,n)
    Ri=1/R; D2t=Dth@Dth
    Lap=Dr@Dr+Ri[:,None]*Dr+(Ri**2)[:,None]*D2t
    N=n*mt
    inner=np.arange(nr*mt,N); outer=np.arange(0,mt)
    b=np.r_[outer,inner]
    # d/dx where gravity is -y, y up: x=r cos, y=r sin
    Dx=np.cos(th)[:,None]*Dr-(np.sin(th)*Ri)[:,None]*Dth
    T=np.log(R/ro)/np.log(ri/ro); w=np.zeros(N); p=np.zeros(N)
    out=[]
    for Ra in Ras:
        for it in range(30):
            # u_r = (1/r) dpsi/dth, u_t = -dpsi/dr ; omega = -lap psi
            ur=Ri*(Dth@p); ut=-(Dr@p)
            A=ur[:,None]*Dr+(ut*Ri)[:,None]*Dth
            F_T=A@T-Lap@T; F_w=(A@w)/Pr-Lap@w-Ra*(Dx@T); F_p=Lap@p+w
            Ap=lambda f:(Dr@f*Ri)[:,None]*Dth-((Dth@f)*Ri)[:,None]*Dr
            Z=np.zeros((N,N))
            J=np.block([[A-Lap,Z,Ap(T)],[-Ra*Dx,A/Pr-Lap,Ap(w)/Pr],[Z,I(N),Lap]])
            F=np.r_[F_T,F_w,F_p]
            # T bc
            for k in b:
                J[k]=0;J[k,k]=1
            F[outer]=T[outer];F[inner]=T[inner]-1
            # psi=0 on boundary in place of F_p ; dpsi/dr=0 in place of F_w
            for k in b:
                J[2*N+k]=0;J[2*N+k,2*N+k]=1;F[2*N+k]=p[k]
                J[N+k]=0;J[N+k,2*N:]=Dr[k];F[N+k]=Dr[k]@p
            s=np.linalg.solve(J,-F); T+=s[:N];w+=s[N:2*N];p+=s[2*N:]
            if np.abs(s).max()<1e-9*(1+np.abs(w).max()):break
        q=-(Dr@T)
        ki=q[inner].mean()*ri*np.log(ro/ri); ko=q[outer].mean()*ro*np.log(ro/ri)
        out.append((Ra,it,ki,ko)); print(nr,mt,Ra,it,ki,ko,flush=True)
    return out
run(int(sys.argv[1]),int(sys.argv[2]),[float(a) for a in sys.argv[3:]])
